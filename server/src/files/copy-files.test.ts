import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../core/config.ts'
import { type FileStorage, StorageUnavailable } from '../providers/files/file-storage.ts'
import { openFolder, openStorage } from '../providers/files/open-storage.ts'
import { startS3Server } from '../testing/s3-server.ts'
import { copyFiles } from './copy-files.ts'
import { ForeignStorage, OWNER_FILE } from './storage-owner.ts'

const nameOf = (index: number) => `${String(index).padStart(32, '0')}.webp`
const NAMES = Array.from({ length: 10 }, (_, index) => nameOf(index))

async function openFolders() {
  const folder = await mkdtemp(join(tmpdir(), 'sought-copy-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const [from, to] = [openFolder(join(folder, 'from')), openFolder(join(folder, 'to'))]
  for (const name of NAMES) await from.write(name, Buffer.from(`the file ${name}`))
  await from.write(OWNER_FILE, Buffer.from('this one'))
  return { from, to }
}

async function contentsOf(storage: FileStorage): Promise<Record<string, string>> {
  const contents: Record<string, string> = {}
  for await (const { name } of storage.list()) {
    const file = await storage.open(name)
    if (file) contents[name] = (await buffer(file.stream)).toString()
  }
  return contents
}

test('all files are copied to S3 and back, and compared if the copy is repeated', {
  tags: ['proof'],
}, async () => {
  const { from, to: back } = await openFolders()
  const s3 = await startS3Server()
  onTestFinished(s3.close)
  const bucket = await openStorage(readConfig(s3.env))
  const all = await contentsOf(from)
  await from.write(`${nameOf(99)}.part`, Buffer.from('unfinished'))
  await from.write('README', Buffer.from('not ours'))

  expect(await copyFiles(from, bucket)).toMatchObject({ copied: 10, same: 0, bytes: 10 * 46, problems: [] })
  expect(await contentsOf(bucket)).toEqual(all)
  // One file has different content of the same length, one is truncated, one is missing.
  await bucket.write(nameOf(3), Buffer.from(`the file ${nameOf(4)}`))
  await bucket.write(nameOf(5), Buffer.from('the'))
  await bucket.remove(nameOf(7))
  expect(await copyFiles(from, bucket)).toMatchObject({ copied: 3, same: 7, problems: [] })
  expect(await copyFiles(bucket, back)).toMatchObject({ copied: 10, same: 0, problems: [] })
  expect(await contentsOf(back)).toEqual(all)
})

test('an interrupted copy is continued', async () => {
  const { from, to } = await openFolders()
  const writes: Promise<void>[] = []
  const breaking: FileStorage = {
    ...to,
    async write(name, bytes) {
      if (writes.length === 5) throw new StorageUnavailable(new Error('away'))
      const written = to.write(name, bytes)
      writes.push(written)
      await written
    },
  }
  await expect(copyFiles(from, breaking)).rejects.toThrow(StorageUnavailable)
  // Several files are copied at a time, so some may still be written.
  await Promise.all(writes)
  const report = await copyFiles(from, to)
  expect(report.copied + report.same).toBe(10)
  expect(report.same).toBeGreaterThan(0)
  expect(await contentsOf(to)).toEqual(await contentsOf(from))
})

test('a copy that differs is reported', async () => {
  const { from, to } = await openFolders()
  const damaging: FileStorage = {
    ...to,
    write: (name, content) =>
      to.write(
        name,
        name === nameOf(6) && content instanceof Uint8Array ? Buffer.from(content).fill('x', 0, 1) : content,
      ),
  }
  expect(await copyFiles(from, damaging)).toMatchObject({
    copied: 9,
    problems: [`${nameOf(6)}: the copy differs`],
  })
})

test('files are never copied over the files of another deployment', async () => {
  const { from, to } = await openFolders()
  await to.write(OWNER_FILE, Buffer.from('another'))
  await expect(copyFiles(from, to)).rejects.toThrow(ForeignStorage)
  expect(await contentsOf(to)).toEqual({ [OWNER_FILE]: 'another' })
})
