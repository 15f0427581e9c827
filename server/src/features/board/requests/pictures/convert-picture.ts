import type { DecodedImage } from '../../../../files/image-decoder.ts'
import { reencodePicture } from '../../../../files/images.ts'

const PICTURE_SIDE_PIXELS = 1600

export const convertPicture = (bytes: Uint8Array, ownerId: string): Promise<DecodedImage> =>
  reencodePicture(bytes, PICTURE_SIDE_PIXELS, ownerId)
