import fc from 'fast-check'
import { expect, test } from 'vitest'
import { calculateFees, type MarketFees, ratesOfDeal, STANDARD_FEES } from './fees.ts'
import { calculateRuling } from './rulings.ts'

test('a sale of 120.00 pays the seller 112.62', () => {
  expect(calculateFees(12_000, STANDARD_FEES)).toEqual({
    platformCents: 360,
    processingCents: 378,
    payoutCents: 11_262,
  })
})

test('half a cent rounds up', () => {
  expect(calculateFees(1_050, STANDARD_FEES)).toEqual({
    platformCents: 32,
    processingCents: 60,
    payoutCents: 958,
  })
})

test('the payout is zero, never negative, when the amount is smaller than the fees', () => {
  expect(calculateFees(1, STANDARD_FEES)).toEqual({ platformCents: 0, processingCents: 1, payoutCents: 0 })
  expect(calculateFees(31, STANDARD_FEES)).toEqual({ platformCents: 1, processingCents: 30, payoutCents: 0 })
})

test('the platform fee is at least the minimum, but never more than the amount', () => {
  const fees = { ...STANDARD_FEES, minimumFeeCents: 50 }
  expect(calculateFees(1_000, fees)).toEqual({ platformCents: 50, processingCents: 59, payoutCents: 891 })
  expect(calculateFees(2_000, fees)).toMatchObject({ platformCents: 60 })
  expect(calculateFees(40, fees)).toEqual({ platformCents: 40, processingCents: 0, payoutCents: 0 })
})

const tiered: MarketFees = {
  ...STANDARD_FEES,
  feeTiers: [
    { from: 50_000, percent: 2.5 },
    { from: 100_000, percent: 2 },
  ],
}

test('from the start of a tier on, its percentage counts for the whole amount', () => {
  const platformFees = [49_999, 50_000, 99_999, 100_000, 200_000].map(
    (amountCents) => calculateFees(amountCents, tiered).platformCents,
  )
  expect(platformFees).toEqual([1_500, 1_250, 2_500, 2_000, 4_000])
})

test('a deal keeps the rate for its price when only a part of the price goes to the seller', () => {
  const rates = ratesOfDeal(100_000, { ...tiered, minimumFeeCents: 50 })
  expect(rates).not.toHaveProperty('feeTiers')
  expect(calculateRuling('split_difference', 100_000, rates)).toMatchObject({
    refundCents: 50_000,
    platformCents: 1_000,
  })
  expect(calculateRuling('refund_partial', 100_000, rates, 99_990)).toEqual({
    move: 'divide',
    refundCents: 99_990,
    platformCents: 10,
    processingCents: 0,
    payoutCents: 0,
  })
})

const amounts = fc.integer({ min: 1, max: 2_147_483_647 })
const anyFees = fc.record({
  platformFeeBasisPoints: fc.nat(5_000),
  processingFeeBasisPoints: fc.nat(2_000),
  processingFeeCents: fc.nat(10_000),
  minimumFeeCents: fc.nat(100_000),
  feeTiers: fc.uniqueArray(fc.record({ from: amounts, percent: fc.nat(100) }), {
    selector: ({ from }) => from,
    maxLength: 5,
  }),
})

test('fees and payout always sum to the amount', () => {
  fc.assert(
    fc.property(amounts, anyFees, (amountCents, { feeTiers, ...rates }) => {
      const fees = { ...rates, feeTiers: feeTiers.toSorted((a, b) => a.from - b.from) }
      const { platformCents, processingCents, payoutCents } = calculateFees(amountCents, fees)
      expect(calculateFees(amountCents, ratesOfDeal(amountCents, fees)).platformCents).toBe(platformCents)
      expect(platformCents + processingCents + payoutCents).toBe(amountCents)
      expect(Math.min(platformCents, processingCents, payoutCents)).toBeGreaterThanOrEqual(0)
    }),
  )
})
