import { expect, test } from 'vitest'
import { splitReason } from './dispute-reason.tsx'

test('a composed reason is split at its headings, and blank lines within a part are kept', () => {
  const text = 'Dispute type: Wrong item received\n\nDescription: A vase came.\n\nNot a lamp.\n\nReason: Vase'
  expect(splitReason(text)).toEqual([
    { heading: 'Dispute type', text: 'Wrong item received' },
    { heading: 'Description', text: 'A vase came.\n\nNot a lamp.' },
    { heading: 'Reason', text: 'Vase' },
  ])
})

test('a reason without headings is one part', () => {
  expect(splitReason('Product not as described')).toEqual([
    { heading: null, text: 'Product not as described' },
  ])
})
