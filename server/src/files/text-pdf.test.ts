import { expect, test } from 'vitest'
import { textAsPdf } from './text-pdf.ts'

test('a text becomes pages of wrapped, escaped lines', () => {
  const pdf = textAsPdf(`Hello (${'word '.repeat(40)})\n${'x'.repeat(200)}\nÄ 你\n${'line\n'.repeat(70)}`)
  const text = pdf.toString('latin1')
  expect(text).toContain('/Count 2')
  expect(text).toContain('(Hello \\(word')
  expect(text).toContain(`(${'x'.repeat(95)}) Tj`)
  expect(text).toContain('(Ä ?) Tj')
  const start = Number(text.match(/startxref\n(\d+)/)?.[1])
  expect(text.slice(start, start + 4)).toBe('xref')
})
