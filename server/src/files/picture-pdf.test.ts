import sharp from 'sharp'
import { expect, test } from 'vitest'
import { encodeJpeg } from './images.ts'
import { picturesAsPdf } from './picture-pdf.ts'

const picture = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 4, background } })
    .webp()
    .toBuffer()

test('a PDF has one page for each picture, and its table has the positions of its objects', async () => {
  const pictures = [
    await encodeJpeg(await picture(3000, 1000, 'red'), 1600),
    await encodeJpeg(await picture(10, 20, 'grey'), 1600),
  ]
  expect(pictures[0]).toMatchObject({ widthPixels: 1600, heightPixels: 533 })
  const pdf = picturesAsPdf(pictures)
  const text = pdf.toString('latin1')
  expect(text.startsWith('%PDF-1.4\n')).toBe(true)
  expect(text).toContain('/Count 2 /Kids [3 0 R 6 0 R]')
  const table = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1])
  const [, ...positions] = text.slice(table).match(/^\d{10} \d{5} [nf] $/gm) ?? []
  expect(positions).toHaveLength(8)
  for (const [index, position] of positions.entries())
    expect(text.slice(Number.parseInt(position, 10))).toMatch(new RegExp(`^${index + 1} 0 obj\n`))
  for (const { bytes } of pictures) {
    const { channels } = await sharp(bytes).metadata()
    expect(channels).toBe(3)
    expect(pdf.includes(bytes)).toBe(true)
  }
})
