import { expect, test } from 'vitest'
import { parseCents } from './amount.ts'

test('an amount has at most two decimals', () => {
  expect(parseCents('12.34')).toBe(1234)
  expect(parseCents('1.1')).toBe(110)
  expect(parseCents('1.005')).toBeNull()
  expect(parseCents('-3')).toBeNull()
  expect(parseCents('1e3')).toBeNull()
  expect(parseCents('')).toBeNull()
})
