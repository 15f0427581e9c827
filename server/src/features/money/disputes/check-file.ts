import { fileTypeFromBuffer } from 'file-type'
import { fromBufferPromise, type ZipFile } from 'yauzl'
import { Refused, refuse } from '../../../core/errors.ts'
import type { FileStore } from '../../../files/files.ts'
import { reencode } from '../../../files/images.ts'
import type { UploadedFile } from '../../../http/upload.ts'

/** An evidence file as it will be stored. */
export interface EvidenceFile {
  type: 'image' | 'document'
  bytes: Uint8Array
  extension: Parameters<FileStore['put']>[1]
  mimeType: string
}

const IMAGE_SIDE_PIXELS = 2400

const mimeTypes = {
  pdf: 'application/pdf',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  txt: 'text/plain; charset=utf-8',
} as const

/**
 * Detects the file type from the content and refuses everything that is not on the list. Images are re-encoded.
 * Documents are stored as they are and served as downloads with a fixed type.
 */
export async function checkFile({ bytes, name }: UploadedFile, ownerId: string): Promise<EvidenceFile> {
  const found = await fileTypeFromBuffer(bytes)
  switch (found?.mime) {
    case 'image/jpeg':
    case 'image/png':
    case 'image/webp':
    case 'image/gif':
      return {
        type: 'image',
        bytes: await reencodeImage(bytes, ownerId),
        extension: 'webp',
        mimeType: 'image/webp',
      }
    case 'application/pdf':
      return documentOf(bytes, 'pdf')
    case 'application/x-cfb':
      if (isWordDocument(bytes)) return documentOf(bytes, 'doc')
      break
    case mimeTypes.docx:
      if (await isSafeDocx(bytes)) return documentOf(bytes, 'docx')
      break
    case undefined:
      if (/\.txt$/i.test(name) && isText(bytes)) return documentOf(bytes, 'txt')
      break
  }
  throw refuse('wrong_type')
}

const documentOf = (bytes: Uint8Array, extension: keyof typeof mimeTypes): EvidenceFile => ({
  type: 'document',
  bytes,
  extension,
  mimeType: mimeTypes[extension],
})

async function reencodeImage(bytes: Uint8Array, ownerId: string): Promise<Buffer> {
  return reencode(bytes, IMAGE_SIDE_PIXELS, ownerId).catch((error) => {
    throw error instanceof Refused && error.code === 'not_an_image'
      ? refuse('wrong_type', { reason: error.reason })
      : error
  })
}

/** Old Word, Excel and installer files share one container format. Only Word documents have this stream. */
function isWordDocument(bytes: Uint8Array): boolean {
  return Buffer.from(bytes).includes(Buffer.from('WordDocument', 'utf16le'))
}

/** Valid UTF-8 without control characters, except tab and line breaks. */
function isText(bytes: Uint8Array): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters
    return text.trim() !== '' && !/[\u0000-\u0008\u000b\u000e-\u001f\u007f]/.test(text)
  } catch {
    return false
  }
}

const ENTRIES_MAX = 2_000
const UNPACKED_MAX_BYTES = 100 * 1024 * 1024

/** A docx is a zip. It is unpacked up to the limit, because the sizes that a zip declares can be false. */
async function isSafeDocx(bytes: Uint8Array): Promise<boolean> {
  try {
    const zip = await fromBufferPromise(Buffer.from(bytes), { lazyEntries: true })
    return await unpacksWithinLimits(zip)
  } catch {
    return false
  }
}

async function unpacksWithinLimits(zip: ZipFile): Promise<boolean> {
  let [left, entries, hasDocument] = [UNPACKED_MAX_BYTES, 0, false]
  for await (const entry of zip.eachEntry()) {
    entries++
    hasDocument ||= entry.fileName === 'word/document.xml'
    if (entries > ENTRIES_MAX || entry.uncompressedSize > left || /vbaProject/i.test(entry.fileName))
      return false
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      left -= chunk.length
      if (left < 0) return false
    }
  }
  return hasDocument
}
