import { fileTypeFromBuffer } from 'file-type'
import sharp, { type ResizeOptions } from 'sharp'
import { refuse } from './errors.ts'

const ACCEPTED = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif'])
/** More than any camera makes: protects against decompression bombs. */
const PIXELS_MAX = 64_000_000
const QUALITY = 84

/**
 * Decodes an uploaded picture and encodes it again: rotated upright, limited in size, and without metadata such as
 * the location, or data hidden behind the picture. Its type is detected from the content.
 */
export function reencode(bytes: Uint8Array, sidePixels: number): Promise<Buffer> {
  return convert(bytes, { width: sidePixels, height: sidePixels, fit: 'inside', withoutEnlargement: true })
}

export interface Jpeg {
  bytes: Buffer
  widthPixels: number
  heightPixels: number
}

/** A stored picture as a JPEG in RGB, which a PDF can contain as it is. */
export async function encodeJpeg(bytes: Uint8Array, sidePixels: number): Promise<Jpeg> {
  const { data, info } = await sharp(bytes, { limitInputPixels: PIXELS_MAX })
    .resize({ width: sidePixels, height: sidePixels, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: 'white' })
    .toColourspace('srgb')
    .jpeg({ quality: QUALITY })
    .toBuffer({ resolveWithObject: true })
  return { bytes: data, widthPixels: info.width, heightPixels: info.height }
}

/** The centre square of an uploaded picture in several sizes, encoded again as above. */
export async function reencodeSquares(bytes: Uint8Array, sidesPixels: readonly number[]): Promise<Buffer[]> {
  // The upload is decoded once; the smaller sizes are made from the largest.
  const width = Math.max(...sidesPixels)
  const largest = await convert(bytes, { width, height: width, fit: 'cover' })
  return Promise.all(
    sidesPixels.map((side) =>
      side === width ? largest : sharp(largest).resize(side).webp({ quality: QUALITY }).toBuffer(),
    ),
  )
}

async function convert(bytes: Uint8Array, size: ResizeOptions): Promise<Buffer> {
  const type = await fileTypeFromBuffer(bytes)
  if (!type || !ACCEPTED.has(type.mime)) throw refuse('not_an_image')
  try {
    return await sharp(bytes, { limitInputPixels: PIXELS_MAX, failOn: 'error' })
      .rotate()
      .resize(size)
      .webp({ quality: QUALITY })
      .toBuffer()
  } catch {
    throw refuse('not_an_image')
  }
}
