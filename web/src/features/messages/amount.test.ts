import { expect, test } from 'vitest'
import { isWithin, parseCents, rangeOf } from './amount.ts'

test('an offer goes from 1 to the budget', () => {
  const range = rangeOf(45.5)
  expect(range).toEqual({ leastCents: 100, mostCents: 4550 })
  expect([99, 100, 4550, 4551].map((cents) => isWithin(range, cents))).toEqual([false, true, true, false])
})

test('an open budget has no end, and a budget below 1 is its own least', () => {
  expect(rangeOf(0)).toEqual({ leastCents: 100, mostCents: null })
  expect(rangeOf(0.5)).toEqual({ leastCents: 50, mostCents: 50 })
})

test('an amount has at most two decimals', () => {
  expect(parseCents('12.34')).toBe(1234)
  expect(parseCents('1.1')).toBe(110)
  expect(parseCents('1.005')).toBeNull()
  expect(parseCents('-3')).toBeNull()
  expect(parseCents('1e3')).toBeNull()
  expect(parseCents('')).toBeNull()
})
