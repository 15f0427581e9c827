import { fileTypeFromBuffer } from 'file-type'
import sharp, { type ResizeOptions } from 'sharp'
import { refuse } from './errors.ts'

const ACCEPTED = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif'])
/** A picture of more pixels than any camera makes is a bomb. */
const PIXELS_MAX = 64_000_000
const QUALITY = 84

/**
 * Makes a picture of ours out of one that was uploaded. What it is, is told by its content. It is
 * decoded and written anew, upright, at most so large, and without anything else that it carried:
 * no place, no camera, no second file hidden behind the first.
 */
export function reencode(bytes: Uint8Array, sidePixels: number): Promise<Buffer> {
  return redraw(bytes, { width: sidePixels, height: sidePixels, fit: 'inside', withoutEnlargement: true })
}

/** The middle of an uploaded picture as a square, in each of the sizes, made anew as above. */
export async function reencodeSquares(bytes: Uint8Array, sidesPixels: readonly number[]): Promise<Buffer[]> {
  // What was sent is decoded once; the sizes are made of the largest.
  const width = Math.max(...sidesPixels)
  const largest = await redraw(bytes, { width, height: width, fit: 'cover' })
  return Promise.all(
    sidesPixels.map((side) =>
      side === width ? largest : sharp(largest).resize(side).webp({ quality: QUALITY }).toBuffer(),
    ),
  )
}

async function redraw(bytes: Uint8Array, size: ResizeOptions): Promise<Buffer> {
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
