import { expect, test } from 'vitest'
import { formatFileSize } from './file-size.ts'

const MB = 1024 * 1024

test('file sizes are shown in kilobytes below one megabyte, then in megabytes', () => {
  expect([1, 340 * 1024, 1.25 * MB, 10 * MB].map(formatFileSize)).toEqual([
    '1 KB',
    '340 KB',
    '1.3 MB',
    '10.0 MB',
  ])
})
