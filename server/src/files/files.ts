import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import {
  PICTURE_FORMATS,
  PICTURE_WIDTHS,
  type PictureFormat,
  type PictureWidth,
  pictureVariant,
} from '@sought/contract/pictures'
import type { FastifyBaseLogger } from 'fastify'
import type { FileStorage, OpenFile } from '../providers/files/file-storage.ts'

/** Stores uploads. File names are random, and no user input reaches the storage. */
export interface FileStore {
  put(bytes: Uint8Array, extension: 'webp' | 'pdf' | 'txt' | 'doc' | 'docx' | 'csv'): Promise<string>
  /** Stores a file without holding it in memory. */
  putStream(content: Readable, extension: 'csv'): Promise<{ name: string; sizeBytes: number }>
  /** Stores a smaller version of a stored picture. */
  putSize(name: string, sidePixels: number, bytes: Uint8Array): Promise<string>
  /** Stores a variant of a picture: another width and format. */
  putVariant(name: string, width: PictureWidth, format: PictureFormat, bytes: Uint8Array): Promise<string>
  /** Null if there is no file of that name. The stream has to be read or destroyed. */
  get(name: string): Promise<OpenFile | null>
  has(name: string): Promise<boolean>
  /**
   * Removes a file and the variants of a picture. Never throws, because the work that needed the file is already
   * done or has failed. Remaining files are removed later as orphans (orphaned-files.ts).
   */
  remove(name: string): Promise<void>
}

const NAME = /^[\w-]{32}(\.\d{2,4})?\.[a-z]{3,4}$/

/** The file name of a smaller version. */
export const sizedName = (name: string, sidePixels: number): string =>
  name.replace(/\.(?=[a-z]+$)/, `.${sidePixels}.`)

/** The name of the original of a smaller version or variant. */
export const withoutSize = (name: string): string => name.replace(/\.\d+\.[a-z]+$/, '.webp')

const variantsOf = (name: string): string[] =>
  /^[\w-]+\.webp$/.test(name)
    ? PICTURE_WIDTHS.flatMap((width) => PICTURE_FORMATS.map((format) => pictureVariant(name, width, format)))
    : []

export const isFileName = (name: string): boolean => NAME.test(name)

export async function removeFiles(store: FileStore, names: string[]): Promise<void> {
  await Promise.all(names.map((name) => store.remove(name)))
}

export function createFileStore(storage: FileStorage, log: FastifyBaseLogger): FileStore {
  async function write(name: string, bytes: Uint8Array): Promise<string> {
    await storage.write(name, bytes)
    return name
  }
  const newName = (extension: string) => `${randomBytes(24).toString('base64url')}.${extension}`
  return {
    put: (bytes, extension) => write(newName(extension), bytes),
    async putStream(content, extension) {
      const name = newName(extension)
      let sizeBytes = 0
      const counted = countBytes(content, (length) => {
        sizeBytes += length
      })
      // If a write fails before it reads the content, nothing else would end the stream.
      await storage.write(name, counted).finally(() => content.destroy())
      return { name, sizeBytes }
    },
    putSize: (name, sidePixels, bytes) => write(sizedName(name, sidePixels), bytes),
    putVariant: (name, width, format, bytes) => write(pictureVariant(name, width, format), bytes),
    get: async (name) => (isFileName(name) ? storage.open(name) : null),
    has: async (name) => isFileName(name) && storage.has(name),
    async remove(name) {
      if (!isFileName(name)) return
      const removed = await Promise.allSettled([name, ...variantsOf(name)].map((it) => storage.remove(it)))
      const failed = removed.find((it) => it.status === 'rejected')
      if (failed) log.warn({ err: failed.reason }, 'could not remove a file')
    },
  }
}

async function* countBytes(content: Readable, onChunk: (length: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    const bytes = Buffer.from(chunk)
    onChunk(bytes.length)
    yield bytes
  }
}
