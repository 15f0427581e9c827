import { type FileStore, removeFiles, sizedName } from './files.ts'
import { reencodeInside } from './images.ts'

/** Photos of conversations are stored in two sizes: for the lightbox and for the thread. */
const SIDE_PIXELS = 1600
const SMALL_SIDE_PIXELS = 480

export const smallPhotoName = (name: string): string => sizedName(name, SMALL_SIDE_PIXELS)

/** Both sizes of a photo. */
export const photoNames = (name: string): string[] => [name, smallPhotoName(name)]

export interface WrittenPhoto {
  fileId: string
  sizeBytes: number
  width: number
  height: number
}

/** Re-encodes an uploaded photo and writes both sizes, or none if one fails. */
export async function writePhoto(
  store: FileStore,
  uploaded: Uint8Array,
  ownerId: string,
): Promise<WrittenPhoto> {
  const [large, small] = await reencodeInside(uploaded, [SIDE_PIXELS, SMALL_SIDE_PIXELS], ownerId)
  if (!large || !small) throw new Error('the decoder returned no picture')
  const fileId = await store.put(large.bytes, 'webp')
  try {
    await store.putSize(fileId, SMALL_SIDE_PIXELS, small.bytes)
  } catch (error) {
    await removeFiles(store, photoNames(fileId))
    throw error
  }
  const { bytes, widthPixels: width, heightPixels: height } = large
  return { fileId, sizeBytes: bytes.length, width, height }
}
