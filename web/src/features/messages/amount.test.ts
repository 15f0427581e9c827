import { expect, test } from 'vitest'
import { isInRange } from '../../lib/amount.ts'
import { rangeOf } from './amount.ts'

test('an offer goes from 1 to the budget', () => {
  const range = rangeOf(45.5)
  expect(range).toEqual({ minCents: 100, maxCents: 4550 })
  expect([99, 100, 4550, 4551].map((cents) => isInRange(range, cents))).toEqual([false, true, true, false])
})

test('an open budget has no end, and a budget below 1 is its own least', () => {
  expect(rangeOf(0)).toEqual({ minCents: 100, maxCents: null })
  expect(rangeOf(0.5)).toEqual({ minCents: 50, maxCents: 50 })
})
