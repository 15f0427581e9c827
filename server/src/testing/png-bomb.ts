import { crc32, deflateSync } from 'node:zlib'

/** A valid black picture of 256 million pixels in a small file. */
export function pngBomb(): Buffer {
  const side = 16_000
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  // One bit per pixel. The other fields of the header are 0: grey, deflate, no interlacing.
  header.writeUInt8(1, 8)
  const filterByte = 1
  const rows = Buffer.alloc(side * (filterByte + side / 8))
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}
