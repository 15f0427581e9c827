import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

/** Where uploads lie. Names are unguessable and made by us; nothing a user typed reaches the disk. */
export interface FileStore {
  put(bytes: Uint8Array, extension: 'webp' | 'pdf' | 'txt' | 'doc' | 'docx'): Promise<string>
  /** The bytes of a file, or null when there is none of that name. */
  get(name: string): Promise<{ stream: Readable; sizeBytes: number } | null>
  remove(name: string): Promise<void>
}

const NAME = /^[\w-]{32}\.[a-z]{3,4}$/

/** Whether this could be the name of one of our files at all. */
export const isFileName = (name: string): boolean => NAME.test(name)

export function createFileStore(dataDir: string): FileStore {
  const folder = join(dataDir, 'files')
  const pathOf = (name: string) => join(folder, name)
  return {
    async put(bytes, extension) {
      await mkdir(folder, { recursive: true })
      const name = `${randomBytes(24).toString('base64url')}.${extension}`
      // Written beside and moved into place, so that a file that exists is a whole file.
      await writeFile(`${pathOf(name)}.part`, bytes)
      await rename(`${pathOf(name)}.part`, pathOf(name))
      return name
    },
    async get(name) {
      if (!isFileName(name)) return null
      const found = await stat(pathOf(name)).catch(() => null)
      return found && { stream: createReadStream(pathOf(name)), sizeBytes: found.size }
    },
    async remove(name) {
      if (isFileName(name)) await rm(pathOf(name), { force: true })
    },
  }
}
