import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import {
  PICTURE_FORMATS,
  PICTURE_WIDTHS,
  type PictureFormat,
  type PictureWidth,
  pictureVariant,
} from '@sought/contract/pictures'

/** Stores uploads. File names are random; no user input reaches the file system. */
export interface FileStore {
  put(bytes: Uint8Array, extension: 'webp' | 'pdf' | 'txt' | 'doc' | 'docx'): Promise<string>
  /** Stores a smaller version of a stored picture. */
  putSize(name: string, sidePixels: number, bytes: Uint8Array): Promise<string>
  /** Stores a variant of a picture: another width and format. */
  putVariant(name: string, width: PictureWidth, format: PictureFormat, bytes: Uint8Array): Promise<string>
  /** Null if there is no file of that name. */
  get(name: string): Promise<{ stream: Readable; sizeBytes: number } | null>
  /** Removes a file and the variants of a picture. */
  remove(name: string): Promise<void>
}

const NAME = /^[\w-]{32}(\.\d{2,4})?\.[a-z]{3,4}$/

/** The file name of a smaller version. */
export const sizedName = (name: string, sidePixels: number): string =>
  name.replace(/\.(?=[a-z]+$)/, `.${sidePixels}.`)

const variantsOf = (name: string): string[] =>
  /^[\w-]+\.webp$/.test(name)
    ? PICTURE_WIDTHS.flatMap((width) => PICTURE_FORMATS.map((format) => pictureVariant(name, width, format)))
    : []

export const isFileName = (name: string): boolean => NAME.test(name)

export function createFileStore(dataDir: string): FileStore {
  const folder = join(dataDir, 'files')
  const pathOf = (name: string) => join(folder, name)
  async function write(name: string, bytes: Uint8Array): Promise<string> {
    await mkdir(folder, { recursive: true })
    // Write to a temporary file and rename it, so that an existing file is always complete.
    await writeFile(`${pathOf(name)}.part`, bytes)
    await rename(`${pathOf(name)}.part`, pathOf(name))
    return name
  }
  return {
    put: (bytes, extension) => write(`${randomBytes(24).toString('base64url')}.${extension}`, bytes),
    putSize: (name, sidePixels, bytes) => write(sizedName(name, sidePixels), bytes),
    putVariant: (name, width, format, bytes) => write(pictureVariant(name, width, format), bytes),
    async get(name) {
      if (!isFileName(name)) return null
      const found = await stat(pathOf(name)).catch(() => null)
      return found && { stream: createReadStream(pathOf(name)), sizeBytes: found.size }
    },
    async remove(name) {
      if (!isFileName(name)) return
      await Promise.all([name, ...variantsOf(name)].map((it) => rm(pathOf(it), { force: true })))
    },
  }
}
