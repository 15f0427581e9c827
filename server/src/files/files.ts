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
import { refuse } from '../core/errors.ts'
import type { FileStorage, OpenFile } from '../providers/files/file-storage.ts'
import type { VirusScanner } from '../providers/scanner/virus-scanner.ts'

/** Stores uploads. File names are random, and no user input reaches the storage. */
export interface FileStore {
  /** Refuses infected files, and holds back those that cannot be scanned now. */
  put(bytes: Uint8Array, extension: 'webp' | 'pdf' | 'txt' | 'doc' | 'docx' | 'csv'): Promise<string>
  /** Stores a file of ours without holding it in memory. It is not scanned. */
  putStream(content: Readable, extension: 'csv'): Promise<{ name: string; sizeBytes: number }>
  /** Stores a smaller version of a stored picture. */
  putSize(name: string, sidePixels: number, bytes: Uint8Array): Promise<string>
  /** Stores a variant of a picture: another width and format. */
  putVariant(name: string, width: PictureWidth, format: PictureFormat, bytes: Uint8Array): Promise<string>
  /** Null if there is no file of that name, or if it is held back. The stream has to be read or destroyed. */
  get(name: string): Promise<OpenFile | null>
  has(name: string): Promise<boolean>
  /**
   * Removes a file and the variants of a picture. Never throws, because the work that needed the file is already
   * done or has failed. Remaining files are removed later as orphans (orphaned-files.ts).
   */
  remove(name: string): Promise<void>
}

/**
 * Files that were not scanned when they were stored have names of their own. So only these need a look at the database
 * before they are read, and a process that knows nothing of scans does not send them (ADR 109).
 */
const HELD = 'held-'
const NAME = /^(?:held-)?[\w-]{32}(\.\d{2,4})?\.[a-z]{3,4}$/

export const mayBeHeld = (name: string): boolean => name.startsWith(HELD)

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

interface Scans {
  /** Null if files are not scanned. */
  scanner: VirusScanner | null
  /** Whether a file whose name says that it may be held was found clean since. */
  isClear(name: string): Promise<boolean>
}

export function createFileStore(
  storage: FileStorage,
  { scanner, isClear }: Scans,
  log: FastifyBaseLogger,
): FileStore {
  /** Refuses infected files. Returns whether the file has to be held back. */
  async function scan(bytes: Uint8Array): Promise<boolean> {
    const verdict = scanner ? await scanner.scan(bytes) : 'clean'
    if (typeof verdict === 'object') throw refuse('file_infected')
    return verdict === 'unknown'
  }

  /** A smaller version is held back with its original, and not stored if only that one is known to be clean. */
  async function writeSize(original: string, name: string, bytes: Uint8Array): Promise<string> {
    if ((await scan(bytes)) && !mayBeHeld(original)) throw refuse('unavailable')
    return write(name, bytes)
  }

  async function write(name: string, bytes: Uint8Array): Promise<string> {
    await storage.write(name, bytes)
    return name
  }
  const newName = (extension: string) => `${randomBytes(24).toString('base64url')}.${extension}`
  return {
    put: async (bytes, extension) => {
      const name = newName(extension)
      return write((await scan(bytes)) ? HELD + name : name, bytes)
    },
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
    putSize: (name, sidePixels, bytes) => writeSize(name, sizedName(name, sidePixels), bytes),
    putVariant: (name, width, format, bytes) => write(pictureVariant(name, width, format), bytes),
    async get(name) {
      if (!isFileName(name) || (mayBeHeld(name) && !(await isClear(name)))) return null
      return storage.open(name)
    },
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
