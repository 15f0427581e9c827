import { reencode } from '../../platform/images.ts'

const PICTURE_SIDE_PIXELS = 1600

export const convertPicture = (bytes: Uint8Array): Promise<Buffer> => reencode(bytes, PICTURE_SIDE_PIXELS)
