import { expect, test } from 'vitest'
import { isWithin } from '../../lib/amount.ts'
import { rangeOf } from './amount.ts'

test('an offer goes from 1 to the budget', () => {
  const range = rangeOf(45.5)
  expect(range).toEqual({ leastCents: 100, mostCents: 4550 })
  expect([99, 100, 4550, 4551].map((cents) => isWithin(range, cents))).toEqual([false, true, true, false])
})

test('an open budget has no end, and a budget below 1 is its own least', () => {
  expect(rangeOf(0)).toEqual({ leastCents: 100, mostCents: null })
  expect(rangeOf(0.5)).toEqual({ leastCents: 50, mostCents: 50 })
})
