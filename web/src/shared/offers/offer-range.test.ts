import { expect, test } from 'vitest'
import { getOfferRange } from './offer-range.ts'

test('an offer is between 1 and the maximum budget', () => {
  expect(getOfferRange(45.5, null, 'usd')).toEqual({ min: 100, max: 4_550 })
})

test('an open budget has no maximum, and a budget below 1 is also the minimum', () => {
  expect(getOfferRange(0, null, 'usd')).toEqual({ min: 100, max: null })
  expect(getOfferRange(0.5, null, 'usd')).toEqual({ min: 50, max: 50 })
})

test('the market’s limit applies if it is lower than the budget', () => {
  expect(getOfferRange(0, 50_000, 'usd')).toEqual({ min: 100, max: 50_000 })
  expect(getOfferRange(45.5, 2_000, 'usd')).toEqual({ min: 100, max: 2_000 })
  expect(getOfferRange(45.5, 50_000, 'usd')).toEqual({ min: 100, max: 4_550 })
})

test('the range is in the smallest unit of the currency, and within what a card can be charged', () => {
  expect(getOfferRange(12_000, null, 'jpy')).toEqual({ min: 50, max: 12_000 })
  expect(getOfferRange(45.5, null, 'kwd')).toEqual({ min: 160, max: 45_500 })
  expect(getOfferRange(20_000_000, null, 'usd')).toEqual({ min: 100, max: 99_999_999 })
})
