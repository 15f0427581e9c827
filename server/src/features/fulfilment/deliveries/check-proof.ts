import { fileTypeFromBuffer } from 'file-type'
import { Refused, refuse } from '../../../core/errors.ts'
import { reencode } from '../../../files/images.ts'
import type { NewFile } from '../../../files/stored-files.ts'
import type { UploadedFile } from '../../../http/upload.ts'

const SIDE_PIXELS = 2400

/** A photo of the parcel as it will be stored. */
export async function checkPhoto({ bytes }: UploadedFile, ownerId: string): Promise<NewFile> {
  return { bytes: await reencode(bytes, SIDE_PIXELS, ownerId), extension: 'webp', mimeType: 'image/webp' }
}

/** A picture or a PDF, such as the carrier's receipt. Its type is detected from the content. */
export async function checkProof(file: UploadedFile, ownerId: string): Promise<NewFile> {
  const found = await fileTypeFromBuffer(file.bytes)
  if (found?.mime === 'application/pdf')
    return { bytes: file.bytes, extension: 'pdf', mimeType: 'application/pdf' }
  return checkPhoto(file, ownerId).catch((error) => {
    throw error instanceof Refused && error.code === 'not_an_image'
      ? refuse('wrong_type', { reason: error.reason })
      : error
  })
}
