import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import type { S3Settings } from '../core/s3-settings.ts'
import { type FileStorage, type ListedFile, StorageRefused } from '../providers/files/file-storage.ts'
import { createS3Storage } from '../providers/files/s3-storage.ts'

const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251))

export async function listAll(storage: FileStorage): Promise<ListedFile[]> {
  const listed: ListedFile[] = []
  for await (const file of storage.list()) listed.push(file)
  return listed.toSorted((one, two) => (one.name < two.name ? -1 : 1))
}

async function readAll(storage: FileStorage, name: string): Promise<Buffer | undefined> {
  const file = await storage.open(name)
  return file ? buffer(file.stream) : undefined
}

/** Tests for every kind of storage. `open` returns an empty one. */
export function testStorage(open: () => Promise<FileStorage>): void {
  test('keeps files until they are removed', async () => {
    const storage = await open()
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

  test('writes chunks as one file, or nothing if they fail', async () => {
    const storage = await open()
    // Enough for two parts in S3, of which the first has at least 5 MiB.
    async function* chunks(count = 20, failsAfter = count) {
      for (let index = 0; index < count; index++) {
        if (index === failsAfter) throw new Error('no more rows')
        yield bytes
      }
    }
    await storage.write('a.csv', chunks())
    expect((await readAll(storage, 'a.csv'))?.equals(Buffer.concat(Array(20).fill(bytes)))).toBe(true)
    await storage.write('b.csv', chunks(0, 0))
    expect((await readAll(storage, 'b.csv'))?.length).toBe(0)
    await expect(storage.write('c.csv', chunks(20, 19))).rejects.toThrow('no more rows')
    expect((await listAll(storage)).map(({ name }) => name)).toEqual(['a.csv', 'b.csv'])
    await storage.remove('a.csv')
    await storage.remove('b.csv')
  })

  test('lets readers stop halfway', async () => {
    const storage = await open()
    await storage.write('a.webp', bytes)
    for (let reader = 0; reader < 5; reader++) {
      const file = await storage.open('a.webp')
      expect(file?.sizeBytes).toBe(300_000)
      file?.stream.destroy()
    }
    expect((await readAll(storage, 'a.webp'))?.length).toBe(300_000)
    await storage.remove('a.webp')
  })
}

/** Tests for a server with S3's API: the storage tests, and the message that refuses each wrong setting. */
export function testBucket(
  settings: () => S3Settings,
  refusals: readonly (readonly [Partial<S3Settings>, string])[],
): void {
  testStorage(async () => createS3Storage(settings()))

  test('lists all files, however many are returned at once', async () => {
    const storage = createS3Storage(settings(), { pageSize: 2 })
    const names = ['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt']
    for (const name of names) await storage.write(name, Buffer.from(name))
    expect((await listAll(storage)).map(({ name }) => name)).toEqual(names)
    for (const name of names) await storage.remove(name)
  })

  test.each(refusals)('refuses %j: %s', async (wrong, line) => {
    const checked = createS3Storage({ ...settings(), ...wrong }).check()
    await expect(checked).rejects.toThrow(StorageRefused)
    await expect(checked).rejects.toThrow(line)
  })
}
