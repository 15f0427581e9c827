import { constants, crc32, deflateRawSync } from 'node:zlib'

interface Entry {
  name: string
  content: Buffer
  /** The number of repetitions of the content. */
  times?: number
  /** A false size to write into the header. */
  claims?: number
}

/** Builds a zip file. */
export function zipOf(entries: Entry[]): Buffer {
  const locals: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const { name, content, times = 1, claims } of entries) {
    const packed = deflateRepeated(content, times)
    const head = Buffer.alloc(26)
    head.writeUInt16LE(20, 0)
    head.writeUInt16LE(8, 4)
    head.writeUInt32LE(crc32OfRepeated(content, times), 10)
    head.writeUInt32LE(packed.length, 14)
    head.writeUInt32LE(claims ?? content.length * times, 18)
    head.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), head, Buffer.from(name), packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    central.push(
      Buffer.concat([
        Buffer.from('PK\x01\x02\x14\x00', 'latin1'),
        head.subarray(0, 26),
        tail,
        Buffer.from(name),
      ]),
    )
    locals.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...locals, directory, Buffer.from('PK\x05\x06', 'latin1'), end])
}

const LAST_BLOCK = Buffer.from([3, 0])

/** Compresses the content once and repeats the compressed block, so that even a zip bomb is built quickly. */
function deflateRepeated(content: Buffer, times: number): Buffer {
  const block = deflateRawSync(content, { finishFlush: constants.Z_FULL_FLUSH })
  return Buffer.concat([...Array<Buffer>(times).fill(block), LAST_BLOCK])
}

function crc32OfRepeated(content: Buffer, times: number): number {
  let checksum = 0
  for (let time = 0; time < times; time++) checksum = crc32(content, checksum)
  return checksum
}

const MEGABYTE = 1024 * 1024

/** More than the server unpacks. */
export const TOO_MANY_ZEROS = { content: Buffer.alloc(MEGABYTE), times: 150 }

const WORD =
  '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'

/** Builds a Word document. */
export function docxOf(document: Omit<Entry, 'name'>, more: Entry[] = []): Buffer {
  return zipOf([
    { name: '[Content_Types].xml', content: Buffer.from(WORD) },
    { name: 'word/document.xml', ...document },
    ...more,
  ])
}
