import { buffer } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import {
  PICTURE_FORMATS,
  PICTURE_WIDTHS,
  type PictureFormat,
  type PictureWidth,
  pictureVariant,
} from '@sought/contract/pictures'
import type { FileStore } from './files.ts'
import { encodeVariant } from './images.ts'

/*
 * The pictures of requests in smaller widths, as AVIF and WebP. A variant is created at its first request and
 * stored next to the picture (ADR 65). One is created at a time, so that uploads always find a decoder.
 */

export interface Variant {
  /** The name of the stored picture. */
  original: string
  width: PictureWidth
  format: PictureFormat
}

/** Longer than creating a variant takes on an idle machine. */
const WAIT_MAX_MS = 3_000
const WAITING_MAX = 60

/** Null if it is not the name of a variant. */
export function parseVariant(name: string): Variant | null {
  const [, id, digits, extension] = /^((?:held-)?[\w-]{32})\.(\d+)\.(\w+)$/.exec(name) ?? []
  const width = PICTURE_WIDTHS.find((it) => String(it) === digits)
  const format = PICTURE_FORMATS.find((it) => it === extension)
  return width && format ? { original: `${id}.webp`, width, format } : null
}

export type PictureVariants = ReturnType<typeof createPictureVariants>

export function createPictureVariants(store: FileStore, encode = encodeVariant) {
  const running = new Map<string, Promise<boolean>>()
  let last: Promise<unknown> = Promise.resolve()

  async function make({ original, width, format }: Variant): Promise<boolean> {
    const file = await store.get(original)
    if (!file) return false
    await store.putVariant(original, width, format, await encode(await buffer(file.stream), width, format))
    // If the picture was removed in the meantime, this variant would be left over.
    if (await store.has(original)) return true
    await store.remove(original)
    return false
  }

  function enqueue(name: string, variant: Variant): Promise<boolean> {
    const known = running.get(name)
    if (known) return known
    if (running.size >= WAITING_MAX) return Promise.resolve(false)
    const made = last
      .then(() => make(variant))
      .catch(() => false)
      .finally(() => running.delete(name))
    running.set(name, made)
    last = made
    return made
  }

  return {
    /** Null if the variant is not ready in time. The next request may find it. */
    async get(variant: Variant) {
      const name = pictureVariant(variant.original, variant.width, variant.format)
      const known = await store.get(name)
      if (known) return known
      const timeout = new AbortController()
      const tooLate = wait(WAIT_MAX_MS, false, { signal: timeout.signal }).catch(() => false)
      const isMade = await Promise.race([enqueue(name, variant), tooLate])
      timeout.abort()
      return isMade ? store.get(name) : null
    },
  }
}
