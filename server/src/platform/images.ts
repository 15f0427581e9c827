import { fileTypeFromBuffer } from 'file-type'
import sharp from 'sharp'
import { refuse } from './errors.ts'

const ACCEPTED = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif'])
/** A picture of more pixels than any camera makes is a bomb. */
const PIXELS_MAX = 64_000_000

/**
 * Makes a picture of ours out of one that was uploaded. What it is, is told by its content. It is
 * decoded and written anew, upright, at most so large, and without anything else that it carried:
 * no place, no camera, no second file hidden behind the first.
 */
export async function reencode(bytes: Uint8Array, sidePixels: number): Promise<Buffer> {
  const type = await fileTypeFromBuffer(bytes)
  if (!type || !ACCEPTED.has(type.mime)) throw refuse('not_an_image')
  try {
    return await sharp(bytes, { limitInputPixels: PIXELS_MAX, failOn: 'error' })
      .rotate()
      .resize({ width: sidePixels, height: sidePixels, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 84 })
      .toBuffer()
  } catch {
    throw refuse('not_an_image')
  }
}
