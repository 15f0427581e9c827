import { expect, test } from 'vitest'
import { isInRange, readAmount } from './amount.ts'

test('an amount has a decimal point or a decimal comma', () => {
  expect(readAmount('12.34', 'usd')).toBe(1234)
  expect(readAmount('1,5', 'eur')).toBe(150)
  expect(readAmount('1,234.50', 'usd')).toBe(123450)
  expect(readAmount('1.005', 'usd')).toBeNull()
  expect(readAmount('12.5', 'jpy')).toBeNull()
  expect(readAmount('-3', 'usd')).toBeNull()
  expect(readAmount('1e3', 'usd')).toBeNull()
  expect(readAmount('', 'usd')).toBeNull()
})

test('a range contains its ends', () => {
  const range = { min: 100, max: 4_550 }
  expect([99, 100, 4_550, 4_551, null].map((amount) => isInRange(range, amount))).toEqual([
    false,
    true,
    true,
    false,
    false,
  ])
  expect(isInRange({ min: 100, max: null }, 1_000_000)).toBe(true)
})
