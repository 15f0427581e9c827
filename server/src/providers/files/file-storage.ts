import type { Readable } from 'node:stream'

/**
 * Where the bytes of files are kept: a folder or an S3 bucket (ADR 70). A file never changes after it was written. The
 * names come from files/files.ts.
 */
export interface FileStorage {
  /** Writes the whole file or nothing. Of chunks, only a few are in memory at a time. */
  write(name: string, content: Uint8Array | AsyncIterable<Uint8Array>): Promise<void>
  /** Null if there is no such file. The stream has to be read or destroyed. */
  open(name: string): Promise<OpenFile | null>
  has(name: string): Promise<boolean>
  /** Does nothing if there is no such file. */
  remove(name: string): Promise<void>
  /** In any order. Includes leftovers of writes that a crash interrupted. */
  list(): AsyncIterable<ListedFile>
  /** How much more can be stored. Undefined if the storage grows by itself. */
  freeBytes?(): Promise<number>
  /** Throws `StorageRefused` if the storage exists but can never be used as configured. */
  check(): Promise<void>
}

export interface OpenFile {
  stream: Readable
  sizeBytes: number
}

export interface ListedFile {
  name: string
  sizeBytes: number
  modifiedAt: Date
}

/** The storage failed. Trying again later may work. */
export class StorageUnavailable extends Error {
  constructor(cause: unknown) {
    super('the file storage is unavailable', { cause })
  }
}

/** The disk is full or read-only. The message tells the operator what to do. */
export class StorageUnwritable extends StorageUnavailable {
  override message = 'no file can be written to DATA_DIR: free some space, or make it writable for the server'
}

/** The message is one line and names the setting to correct. */
export class StorageRefused extends Error {}
