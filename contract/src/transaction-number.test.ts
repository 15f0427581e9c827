import { expect, test } from 'vitest'
import { isLikeTransactionNumber, parseTransactionNumber } from './transaction-number.ts'

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

test.each(['4F7K-Q2MX-9TB3', '4f7k-q2mx-9tb3', '4F7KQ2MX9TB3', ' 4F7K Q2MX – 9TB3 '])(
  'transaction number %j is accepted',
  (text) => {
    expect(parseTransactionNumber(text)).toBe('4F7K-Q2MX-9TB3')
  },
)

test('letters count as the digits that they resemble', () => {
  expect(parseTransactionNumber('oooo-OOOO-OOI2')).toBe('0000-0000-0012')
  expect(parseTransactionNumber('0000-0000-00l2')).toBe('0000-0000-0012')
})

test.each(['', '4F7K-Q2MX', '4F7K-Q2MX-9TB3-4', '4F7K-Q2MU-9TB3', 'Vintage lamp'])(
  '%j is not a transaction number',
  (text) => expect(parseTransactionNumber(text)).toBeNull(),
)

test('the check character detects every wrong character and every swap of two', () => {
  const number = '4F7KQ2MX9TB3'
  for (const [index, right] of [...number].entries()) {
    const put = (character: string) => number.slice(0, index) + character + number.slice(index + 1)
    for (const wrong of ALPHABET)
      expect(parseTransactionNumber(put(wrong)) !== null, put(wrong)).toBe(wrong === right)
    for (const [other, character] of [...number].entries()) {
      if (other <= index || character === right) continue
      const swapped = put(character).slice(0, other) + right + number.slice(other + 1)
      expect(parseTransactionNumber(swapped), swapped).toBeNull()
    }
  }
})

test('a number with a wrong check character is recognised as a mistyped transaction number, words are not', () => {
  expect(isLikeTransactionNumber('4f7k-q2mx-9tb4')).toBe(true)
  expect(isLikeTransactionNumber('Chess tables')).toBe(false)
  expect(isLikeTransactionNumber('4f7k-q2mx')).toBe(false)
})
