import { writeFileSync } from 'node:fs'
import { IMAGE_MEGAPIXELS_MAX } from '@sought/contract/constants'
import type { PictureFormat } from '@sought/contract/pictures'
import { fileTypeFromBuffer } from 'file-type'
import sharp, { type ResizeOptions, type Sharp } from 'sharp'
import type { Preview } from './draw-preview.ts'

/*
 * Runs in separate processes (image-pool.ts), which decode one picture at a time. A picture that exhausts the
 * memory or crashes the decoder ends only its process.
 */

export type ImageJob =
  /** Fits the picture into squares of these sizes, largest first. */
  | { kind: 'inside'; bytes: Uint8Array; sidesPixels: readonly number[] }
  /** The centre square in these sizes, largest first. */
  | { kind: 'squares'; bytes: Uint8Array; sidesPixels: readonly number[] }
  /** A stored picture in a smaller width, or in another format. */
  | { kind: 'variant'; bytes: Uint8Array; widthPixels: number; format: PictureFormat }
  /** A stored picture as a JPEG in RGB. */
  | { kind: 'jpeg'; bytes: Uint8Array; sidePixels: number }
  /** The picture of a link preview as a PNG, with a stored picture in it. */
  | { kind: 'preview'; preview: Preview; photo: Uint8Array | null }

export interface DecodedImage {
  bytes: Buffer
  widthPixels: number
  heightPixels: number
}

/** The pictures, or why we do not accept the picture. */
export type DecoderAnswer = DecodedImage[] | 'unreadable' | 'too many pixels' | 'too slow'

const ACCEPTED = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif'])
/** More than most cameras produce. Protects against decompression bombs. */
const PIXELS_MAX = IMAGE_MEGAPIXELS_MAX * 1_000_000
const QUALITY = 84

async function decode(job: ImageJob): Promise<DecodedImage[]> {
  switch (job.kind) {
    case 'inside':
      return convertToSizes(job.bytes, job.sidesPixels, fitInto)
    case 'squares':
      return convertToSizes(job.bytes, job.sidesPixels, cover)
    case 'variant':
      return [await convertToVariant(job.bytes, job.widthPixels, job.format)]
    case 'jpeg':
      return [await convertToJpeg(job.bytes, job.sidePixels)]
    case 'preview':
      return [await renderPreview(job.preview, job.photo)]
  }
}

class TooManyPixels extends Error {}

const fitInto = (side: number) =>
  ({ width: side, height: side, fit: 'inside', withoutEnlargement: true }) as const

const cover = (side: number) => ({ width: side, height: side, fit: 'cover' }) as const

async function convert(bytes: Uint8Array, size: ResizeOptions): Promise<DecodedImage> {
  const type = await fileTypeFromBuffer(bytes)
  if (!type || !ACCEPTED.has(type.mime)) throw new Error('not a picture')
  // Reads only the header.
  const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata()
  if (width * height > PIXELS_MAX) throw new TooManyPixels()
  const picture = sharp(bytes, { limitInputPixels: PIXELS_MAX, failOn: 'error' }).rotate().resize(size)
  return encode(picture.webp({ quality: QUALITY }))
}

/** Decodes the upload once. Smaller sizes are made from the largest. */
async function convertToSizes(
  bytes: Uint8Array,
  [first = 0, ...smaller]: readonly number[],
  sizeOf: (side: number) => ResizeOptions,
): Promise<DecodedImage[]> {
  const largest = await convert(bytes, sizeOf(first))
  const resize = (side: number) =>
    encode(sharp(largest.bytes).resize(sizeOf(side)).webp({ quality: QUALITY }))
  return [largest, ...(await Promise.all(smaller.map(resize)))]
}

/** More effort makes the file slightly smaller but takes several times as long. */
const AVIF_OPTIONS = { quality: 55, effort: 2 }

function convertToVariant(bytes: Uint8Array, width: number, format: PictureFormat): Promise<DecodedImage> {
  const picture = sharp(bytes, { limitInputPixels: PIXELS_MAX }).resize({ width, withoutEnlargement: true })
  return encode(format === 'avif' ? picture.avif(AVIF_OPTIONS) : picture.webp({ quality: QUALITY }))
}

function convertToJpeg(bytes: Uint8Array, sidePixels: number): Promise<DecodedImage> {
  const picture = sharp(bytes, { limitInputPixels: PIXELS_MAX }).resize(fitInto(sidePixels))
  return encode(picture.flatten({ background: 'white' }).toColourspace('srgb').jpeg({ quality: QUALITY }))
}

/** Loads the fonts only in a process that needs them. */
async function renderPreview(preview: Preview, photo: Uint8Array | null): Promise<DecodedImage> {
  const { drawPreview, PREVIEW_PHOTO } = await import('./draw-preview.ts')
  const { left, top, width, height } = PREVIEW_PHOTO
  const picture = sharp(Buffer.from(drawPreview(preview, photo !== null)))
  if (!photo) return encode(picture.png({ palette: true }))
  const input = await sharp(photo, { limitInputPixels: PIXELS_MAX })
    .resize({ width, height, fit: 'cover' })
    .toBuffer()
  return encode(picture.composite([{ input, left, top }]).png({ palette: true, quality: QUALITY }))
}

async function encode(picture: Sharp): Promise<DecodedImage> {
  const { data, info } = await picture.toBuffer({ resolveWithObject: true })
  return { bytes: data, widthPixels: info.width, heightPixels: info.height }
}

/**
 * If memory runs out, the system ends a decoder first. Its CPU priority stays normal: two decoders leave enough CPU
 * for others, and with a lower priority a busy machine would decode no picture.
 */
function offerMemory(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Only Linux has this file.
  }
}

function answer(decoded: DecoderAnswer): void {
  process.send?.(decoded)
}

offerMemory()
sharp.concurrency(1)
sharp.cache(false)
process.on('message', (job: ImageJob) => {
  const refuse = (error: unknown) => answer(error instanceof TooManyPixels ? 'too many pixels' : 'unreadable')
  void decode(job).then(answer, refuse)
})
process.on('disconnect', () => process.exit())
