import { expect, test } from 'vitest'
import { isInRange } from '../../format/amount.ts'
import { getOfferRange } from './offer-range.ts'

test('an offer is between 1 and the maximum budget', () => {
  const range = getOfferRange(45.5, null)
  expect(range).toEqual({ minCents: 100, maxCents: 4550 })
  expect([99, 100, 4550, 4551].map((cents) => isInRange(range, cents))).toEqual([false, true, true, false])
})

test('an open budget has no maximum, and a budget below 1 is also the minimum', () => {
  expect(getOfferRange(0, null)).toEqual({ minCents: 100, maxCents: null })
  expect(getOfferRange(0.5, null)).toEqual({ minCents: 50, maxCents: 50 })
})

test('the market’s limit applies if it is lower than the budget', () => {
  expect(getOfferRange(0, 50_000)).toEqual({ minCents: 100, maxCents: 50_000 })
  expect(getOfferRange(45.5, 2_000)).toEqual({ minCents: 100, maxCents: 2_000 })
  expect(getOfferRange(45.5, 50_000)).toEqual({ minCents: 100, maxCents: 4_550 })
})
