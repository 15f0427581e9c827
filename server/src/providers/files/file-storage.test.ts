import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../platform/config.ts'
import { type S3Server, startS3Server } from '../../testing/s3-server.ts'
import { type FileStorage, type ListedFile, StorageRefused, StorageUnavailable } from './file-storage.ts'
import { openStorage } from './open-storage.ts'
import { createS3Storage } from './s3-storage.ts'

let dataDir: string
let s3: S3Server

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sought-storage-'))
  s3 = await startS3Server()
})
afterAll(async () => {
  await s3.close()
  await rm(dataDir, { recursive: true, force: true })
})

const open = (env: Record<string, string> = {}) => openStorage(readConfig({ DATA_DIR: dataDir, ...env }))

async function listAll(storage: FileStorage): Promise<ListedFile[]> {
  const listed: ListedFile[] = []
  for await (const file of storage.list()) listed.push(file)
  return listed.toSorted((one, two) => (one.name < two.name ? -1 : 1))
}

async function readAll(storage: FileStorage, name: string): Promise<Buffer | undefined> {
  const file = await storage.open(name)
  return file ? buffer(file.stream) : undefined
}

const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251))

describe.each([
  ['a folder', () => open()],
  ['S3', () => open(s3.env)],
])('%s', (_, openIt) => {
  test('keeps files until they are removed', async () => {
    const storage = await openIt()
    await storage.check()
    expect(await listAll(storage)).toEqual([])
    expect(await storage.open('a.webp')).toBeNull()
    expect(await storage.has('a.webp')).toBe(false)
    await storage.remove('a.webp')

    const startMs = Date.now()
    await storage.write('a.webp', bytes)
    await storage.write('b.pdf', Buffer.from('%PDF'))
    expect((await readAll(storage, 'a.webp'))?.equals(bytes)).toBe(true)
    expect(await storage.has('a.webp')).toBe(true)
    expect(await listAll(storage)).toEqual([
      { name: 'a.webp', sizeBytes: 300_000, modifiedAt: expect.any(Date) },
      { name: 'b.pdf', sizeBytes: 4, modifiedAt: expect.any(Date) },
    ])
    for (const { modifiedAt } of await listAll(storage))
      expect(Math.abs(modifiedAt.getTime() - startMs)).toBeLessThan(60_000)

    await storage.remove('a.webp')
    expect(await storage.open('a.webp')).toBeNull()
    expect((await listAll(storage)).map(({ name }) => name)).toEqual(['b.pdf'])
    await storage.remove('b.pdf')
  })

  test('lets readers stop halfway', async () => {
    const storage = await openIt()
    await storage.write('a.webp', bytes)
    for (let reader = 0; reader < 5; reader++) {
      const file = await storage.open('a.webp')
      expect(file?.sizeBytes).toBe(300_000)
      file?.stream.destroy()
    }
    expect((await readAll(storage, 'a.webp'))?.length).toBe(300_000)
    await storage.remove('a.webp')
  })
})

test('S3 lists all files, however many it returns at once', async () => {
  const { s3: settings } = readConfig(s3.env)
  if (!settings) throw new Error('no settings')
  const storage = createS3Storage(settings, { pageSize: 2 })
  const names = ['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt']
  for (const name of names) await storage.write(name, bytes)
  expect((await listAll(storage)).map(({ name }) => name)).toEqual(names)
  for (const name of names) await storage.remove(name)
})

test.each([
  [{ S3_BUCKET: 'other-files' }, 'S3_BUCKET: there is no bucket other-files'],
  [
    { S3_ACCESS_KEY_ID: 'unknown' },
    'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY: S3 does not accept these keys',
  ],
])('S3 with %j is refused with one line', async (wrong, line) => {
  const checked = (await open({ ...s3.env, ...wrong })).check()
  await expect(checked).rejects.toThrow(StorageRefused)
  await expect(checked).rejects.toThrow(line)
})

test('S3 that does not answer is given up', async () => {
  const { s3: settings } = readConfig(s3.env)
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  onTestFinished(() => void silent.close())
  const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  if (!settings) throw new Error('no settings')
  const storage = createS3Storage({ ...settings, endpoint }, { replyMs: 100 })
  await expect(storage.open('a.webp')).rejects.toThrow(StorageUnavailable)
  await expect(storage.write('a.webp', bytes)).rejects.toThrow(StorageUnavailable)
})

test('while S3 is away, every call fails as unavailable, and works again when it is back', async () => {
  const storage = await open(s3.env)
  await storage.write('a.webp', Buffer.from('x'))
  await s3.kill()
  const calls = [
    () => storage.write('b.webp', Buffer.from('x')),
    () => storage.open('a.webp'),
    () => storage.has('a.webp'),
    () => storage.remove('a.webp'),
    () => listAll(storage),
    () => storage.check(),
  ]
  for (const call of calls) await expect(call()).rejects.toThrow(StorageUnavailable)
  await s3.start()
  expect((await listAll(storage)).map(({ name }) => name)).toEqual(['a.webp'])
  await storage.remove('a.webp')
})
