import { chmod, mkdir, open, opendir, rename, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type FileStorage, type ListedFile, StorageUnwritable } from './file-storage.ts'

/** The suffix of files that are being written. */
const UNFINISHED = '.part'
/** Other users of the machine cannot read the files: some are evidence. */
const MODE = { folder: 0o700, file: 0o600 } as const
const OTHERS = 0o077

export function createFolderStorage(folder: string): FileStorage {
  const pathOf = (name: string) => join(folder, name)

  async function* list(): AsyncIterable<ListedFile> {
    const entries = await unlessMissing(opendir(folder))
    if (!entries) return
    for await (const { name } of entries) {
      const found = await unlessMissing(stat(pathOf(name)))
      if (!found?.isFile()) continue
      // The files in it follow every night, when they are listed to find orphans.
      if (found.mode & OTHERS) await unlessMissing(chmod(pathOf(name), MODE.file))
      yield { name, sizeBytes: found.size, modifiedAt: found.mtime }
    }
  }

  return {
    async write(name, content) {
      const unfinished = pathOf(name + UNFINISHED)
      try {
        await mkdir(folder, { recursive: true, mode: MODE.folder })
        await writeFile(unfinished, content, { flush: true, mode: MODE.file })
        // Rename a finished file, so that an existing one is always complete, even after a power failure.
        await rename(unfinished, pathOf(name))
      } catch (error) {
        await rm(unfinished, { force: true }).catch(() => {})
        throw isUnwritable(error) ? new StorageUnwritable(error) : error
      }
    },
    async open(name) {
      const file = await unlessMissing(open(pathOf(name)))
      return file && { stream: file.createReadStream(), sizeBytes: (await file.stat()).size }
    },
    has: async (name) => (await unlessMissing(stat(pathOf(name)))) !== null,
    remove: (name) => rm(pathOf(name), { force: true }),
    list,
    async freeBytes() {
      // The folder is made with the first file.
      const { bavail, bsize } = (await unlessMissing(statfs(folder))) ?? (await statfs(dirname(folder)))
      return bavail * bsize
    },
    /** At the start, because earlier versions made a folder that everyone could read. */
    async check() {
      await unlessMissing(chmod(folder, MODE.folder)).catch((error) => {
        throw isUnwritable(error) ? new StorageUnwritable(error) : error
      })
    },
  }
}

/** A full, read-only or failing disk, or a folder of another user. */
const UNWRITABLE = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO'])

const isUnwritable = (error: unknown) =>
  error instanceof Error && 'code' in error && UNWRITABLE.has(String(error.code))

async function unlessMissing<Found>(found: Promise<Found>): Promise<Found | null> {
  try {
    return await found
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
