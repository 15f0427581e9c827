import type { PictureFormat } from '@sought/contract/pictures'
import type { Preview } from './draw-preview.ts'
import type { DecodedImage } from './image-decoder.ts'
import { createImagePool } from './image-pool.ts'

/** Its processes start with the first picture, and end with this process. */
const pool = createImagePool()

/** Anybody can request previews, so they have a lane of their own, which is one queue for everybody. */
const previewPool = createImagePool({ decoders: 1, waitingMaxOfOwner: Number.POSITIVE_INFINITY })

/** The owners of what the server makes of stored pictures. */
const SERVER = { variants: 'variants', evidence: 'evidence', previews: 'previews' } as const

export type Jpeg = DecodedImage

/**
 * Decodes an uploaded picture and encodes it again: rotated upright, limited in size, and without metadata such as
 * the location, or data hidden behind the picture. Its type is detected from the content. `ownerId` is the user whose
 * turn it takes.
 */
export async function reencode(bytes: Uint8Array, sidePixels: number, ownerId: string): Promise<Buffer> {
  return (await reencodePicture(bytes, sidePixels, ownerId)).bytes
}

/** Like `reencode`, with the size of the result. */
export async function reencodePicture(
  bytes: Uint8Array,
  sidePixels: number,
  ownerId: string,
): Promise<DecodedImage> {
  return firstOf(await reencodeInside(bytes, [sidePixels], ownerId))
}

/** Like `reencode`, in several sizes, largest first. */
export function reencodeInside(
  bytes: Uint8Array,
  sidesPixels: readonly number[],
  ownerId: string,
): Promise<DecodedImage[]> {
  return pool.run({ kind: 'inside', bytes, sidesPixels }, ownerId)
}

/** A stored picture in a smaller width, or in another format. */
export async function encodeVariant(
  bytes: Uint8Array,
  widthPixels: number,
  format: PictureFormat,
): Promise<Buffer> {
  return firstOf(await pool.run({ kind: 'variant', bytes, widthPixels, format }, SERVER.variants)).bytes
}

/** A stored picture as a JPEG in RGB, which a PDF can embed unchanged. */
export async function encodeJpeg(bytes: Uint8Array, sidePixels: number): Promise<Jpeg> {
  return firstOf(await pool.run({ kind: 'jpeg', bytes, sidePixels }, SERVER.evidence))
}

/** The centre square of an uploaded picture in several sizes, re-encoded like `reencode`. */
export async function reencodeSquares(
  bytes: Uint8Array,
  sidesPixels: readonly number[],
  ownerId: string,
): Promise<Buffer[]> {
  const pictures = await pool.run({ kind: 'squares', bytes, sidesPixels }, ownerId)
  return pictures.map((picture) => picture.bytes)
}

/** The picture of a link preview as a PNG, with a stored picture in it. */
export async function renderPreview(preview: Preview, photo: Uint8Array | null): Promise<Buffer> {
  return firstOf(await previewPool.run({ kind: 'preview', preview, photo }, SERVER.previews)).bytes
}

function firstOf([picture]: DecodedImage[]): DecodedImage {
  if (!picture) throw new Error('the decoder returned no picture')
  return picture
}
