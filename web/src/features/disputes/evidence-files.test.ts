import { expect, test } from 'vitest'
import { fileSize, judgeFiles } from './evidence-files.ts'

const MB = 1024 * 1024
const picture = (name: string, size = MB) => ({ name, type: 'image/png', size })

test('pictures, PDF, Word and plain text are taken, up to 10 MB each', () => {
  const chosen = [
    picture('photo.png', 10 * MB),
    { name: 'INVOICE.PDF', type: 'application/pdf', size: 1 },
    { name: 'letter.doc', type: '', size: 1 },
    { name: 'letter.docx', type: '', size: 1 },
    { name: 'chat.txt', type: 'text/plain', size: 1 },
  ]
  expect(judgeFiles(chosen, 0)).toEqual({ fit: chosen, errors: [] })
})

test('everything that is wrong with a batch is said together, and the rest is taken', () => {
  const good = picture('good.png')
  const { fit, errors } = judgeFiles(
    [
      picture('huge.png', 10 * MB + 1),
      { name: 'tool.exe', type: 'application/x-msdownload', size: 1 },
      { name: 'drawing.svg', type: 'image/svg+xml', size: 1 },
      good,
      picture('sixth.png'),
      picture('seventh.png'),
    ],
    4,
  )
  expect(fit).toEqual([good])
  expect(errors).toEqual([
    'huge.png is too large (max 10MB)',
    'tool.exe is not a supported file type',
    'drawing.svg is not a supported file type',
    'Maximum 5 files allowed',
  ])
})

test('a size is said in the unit that suits it', () => {
  expect([1, 340 * 1024, 1.25 * MB, 10 * MB].map(fileSize)).toEqual(['1 KB', '340 KB', '1.3 MB', '10.0 MB'])
})
