import { once } from 'node:events'
import { chmod, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../core/config.ts'
import type { S3Settings } from '../../core/s3-settings.ts'
import { type S3Server, startS3Server } from '../../testing/s3-server.ts'
import { listAll, testBucket, testStorage } from '../../testing/storage-contract.ts'
import { StorageUnavailable, StorageUnwritable } from './file-storage.ts'
import { openFolder } from './open-storage.ts'
import { createS3Storage } from './s3-storage.ts'

describe('a folder', () => {
  let dataDir: string
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'sought-storage-'))
  })
  afterAll(() => rm(dataDir, { recursive: true, force: true }))

  testStorage(async () => openFolder(dataDir))

  test('says that it cannot be written if the disk is full, and keeps nothing', async () => {
    const storage = openFolder(dataDir)
    await storage.write('a.webp', Buffer.from('x'))
    await symlink('/dev/full', join(dataDir, 'files/b.webp.part'))
    await expect(storage.write('b.webp', Buffer.from('x'))).rejects.toThrow(StorageUnwritable)
    expect(await storage.has('b.webp')).toBe(false)
    expect((await listAll(storage)).map(({ name }) => name)).not.toContain('b.webp.part')
  })

  test('can be read only by its owner, also if an earlier version wrote it', async () => {
    const home = await mkdtemp(join(tmpdir(), 'sought-storage-'))
    onTestFinished(() => rm(home, { recursive: true, force: true }))
    const folder = join(home, 'files')
    const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)
    const storage = openFolder(home)
    await storage.check()
    await storage.write('new.webp', Buffer.from('x'))
    expect([await modeOf(folder), await modeOf(join(folder, 'new.webp'))]).toEqual(['700', '600'])

    await chmod(folder, 0o755)
    await writeFile(join(folder, 'old.webp'), 'x')
    await chmod(join(folder, 'old.webp'), 0o644)
    await storage.check()
    expect(await listAll(storage)).toHaveLength(2)
    expect([await modeOf(folder), await modeOf(join(folder, 'old.webp'))]).toEqual(['700', '600'])
  })
})

describe('S3', () => {
  let server: S3Server
  beforeAll(async () => {
    server = await startS3Server()
  })
  afterAll(() => server.close())
  const settings = (): S3Settings => {
    const { s3 } = readConfig(server.env)
    if (!s3) throw new Error('S3 is not configured')
    return s3
  }

  testBucket(settings, [
    [{ bucket: 'other-files' }, 'S3_BUCKET: there is no bucket other-files'],
    [
      { accessKeyId: 'unknown' },
      'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY: S3 does not accept these keys for the bucket sought-files',
    ],
  ])

  test('lets only a hundred readers wait for an answer', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    onTestFinished(() => void silent.close())
    const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
    const storage = createS3Storage({ ...settings(), endpoint }, { replyMs: 100 })
    const waiting = Array.from({ length: 100 }, () => storage.open('a.webp').catch(() => 'late'))
    const refused = await storage.open('a.webp').catch((error: Error) => error.cause)
    expect(refused).toEqual(new Error('too many requests wait for S3'))
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['late']))
    await expect(storage.open('a.webp')).rejects.toThrow(StorageUnavailable)
  })

  test('is unavailable if it does not answer in time', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    onTestFinished(() => void silent.close())
    const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
    const storage = createS3Storage({ ...settings(), endpoint }, { replyMs: 100 })
    await expect(storage.open('a.webp')).rejects.toThrow(StorageUnavailable)
    await expect(storage.write('a.webp', Buffer.from('x'))).rejects.toThrow(StorageUnavailable)
  })

  test('is unavailable while it is down, and works again afterwards', { tags: ['proof'] }, async () => {
    const storage = createS3Storage(settings())
    await storage.write('a.webp', Buffer.from('x'))
    await server.kill()
    const calls = [
      () => storage.write('b.webp', Buffer.from('x')),
      () => storage.open('a.webp'),
      () => storage.has('a.webp'),
      () => storage.remove('a.webp'),
      () => listAll(storage),
      () => storage.check(),
    ]
    for (const call of calls) await expect(call()).rejects.toThrow(StorageUnavailable)
    await server.start()
    expect((await listAll(storage)).map(({ name }) => name)).toEqual(['a.webp'])
    await storage.remove('a.webp')
  })
})
