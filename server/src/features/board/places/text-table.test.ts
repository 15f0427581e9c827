import { expect, test } from 'vitest'
import { lowerBound, packTexts, textAt } from './text-table.ts'

const SORTED = ['', 'berlin', 'paris', 'tōkyō', 'zürich']

test('packed texts are read back unchanged, also with multi-byte letters', () => {
  const table = packTexts(SORTED)
  expect(SORTED.map((_, at) => textAt(table, at))).toEqual(SORTED)
  expect(table.bytes).toHaveLength(Buffer.byteLength(SORTED.join('')))
})

test('an empty table has no texts', () => {
  expect(lowerBound(packTexts([]), 'paris')).toBe(0)
})

test.each([
  ['', 0],
  ['a', 1],
  ['berlin', 1],
  ['berlin\0', 2],
  ['paris', 2],
  ['zürich', 4],
  ['zürich\0', 5],
])('lowerBound of %j is the index %i', (text, index) => {
  expect(lowerBound(packTexts(SORTED), text)).toBe(index)
})
