import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

/** Where uploads lie. Names are unguessable and made by us; nothing a user typed reaches the disk. */
export interface FileStore {
  put(bytes: Uint8Array, extension: 'webp' | 'pdf' | 'txt' | 'doc' | 'docx'): Promise<string>
  /** Keeps a stored picture in a smaller size too, beside it. */
  putSize(name: string, sidePixels: number, bytes: Uint8Array): Promise<string>
  /** The bytes of a file, or null when there is none of that name. */
  get(name: string): Promise<{ stream: Readable; sizeBytes: number } | null>
  remove(name: string): Promise<void>
}

const NAME = /^[\w-]{32}(\.\d{2,4})?\.[a-z]{3,4}$/

/** What a picture is called in one of its smaller sizes. */
export const sizedName = (name: string, sidePixels: number): string =>
  name.replace(/\.(?=[a-z]+$)/, `.${sidePixels}.`)

/** Whether this could be the name of one of our files at all. */
export const isFileName = (name: string): boolean => NAME.test(name)

export function createFileStore(dataDir: string): FileStore {
  const folder = join(dataDir, 'files')
  const pathOf = (name: string) => join(folder, name)
  async function write(name: string, bytes: Uint8Array): Promise<string> {
    await mkdir(folder, { recursive: true })
    // Written beside and moved into place, so that a file that exists is a whole file.
    await writeFile(`${pathOf(name)}.part`, bytes)
    await rename(`${pathOf(name)}.part`, pathOf(name))
    return name
  }
  return {
    put: (bytes, extension) => write(`${randomBytes(24).toString('base64url')}.${extension}`, bytes),
    putSize: (name, sidePixels, bytes) => write(sizedName(name, sidePixels), bytes),
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
