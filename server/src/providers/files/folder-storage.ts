import { mkdir, open, opendir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileStorage, ListedFile } from './file-storage.ts'

/** The suffix of files that are being written. */
const UNFINISHED = '.part'

export function createFolderStorage(folder: string): FileStorage {
  const pathOf = (name: string) => join(folder, name)

  async function* list(): AsyncIterable<ListedFile> {
    const entries = await unlessMissing(opendir(folder))
    if (!entries) return
    for await (const { name } of entries) {
      const found = await unlessMissing(stat(pathOf(name)))
      if (found?.isFile()) yield { name, sizeBytes: found.size, modifiedAt: found.mtime }
    }
  }

  return {
    async write(name, content) {
      await mkdir(folder, { recursive: true })
      const unfinished = pathOf(name + UNFINISHED)
      try {
        await writeFile(unfinished, content, { flush: true })
      } catch (error) {
        await rm(unfinished, { force: true })
        throw error
      }
      // Rename a finished file, so that an existing one is always complete, even after a power failure.
      await rename(unfinished, pathOf(name))
    },
    async open(name) {
      const file = await unlessMissing(open(pathOf(name)))
      return file && { stream: file.createReadStream(), sizeBytes: (await file.stat()).size }
    },
    has: async (name) => (await unlessMissing(stat(pathOf(name)))) !== null,
    remove: (name) => rm(pathOf(name), { force: true }),
    list,
    check: async () => {},
  }
}

async function unlessMissing<Found>(found: Promise<Found>): Promise<Found | null> {
  try {
    return await found
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
