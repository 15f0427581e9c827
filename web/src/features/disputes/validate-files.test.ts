import { expect, test } from 'vitest'
import { validateFiles } from './validate-files.ts'

const MB = 1024 * 1024
const picture = (name: string, size = MB) => ({ name, type: 'image/png', size })

test('images, PDF, Word and text files of up to 10 MB are accepted', () => {
  const selected = [
    picture('photo.png', 10 * MB),
    { name: 'INVOICE.PDF', type: 'application/pdf', size: 1 },
    { name: 'letter.doc', type: '', size: 1 },
    { name: 'letter.docx', type: '', size: 1 },
    { name: 'chat.txt', type: 'text/plain', size: 1 },
  ]
  expect(validateFiles(selected, 0)).toEqual({ validFiles: selected, errors: [] })
})

test('all errors in a selection are reported together, and its valid files are accepted', () => {
  const good = picture('good.png')
  const { validFiles, errors } = validateFiles(
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
  expect(validFiles).toEqual([good])
  expect(errors).toEqual([
    'huge.png is too large (max 10MB)',
    'tool.exe is not a supported file type',
    'drawing.svg is not a supported file type',
    'Maximum 5 files allowed',
  ])
})
