import fc from 'fast-check'
import { expect, test } from 'vitest'
import { calculateFees, type MarketFees, ratesOfDeal, STANDARD_FEES } from './fees.ts'
import { calculateRuling } from './rulings.ts'

const rounding = { step: 1, payoutStep: 1 }

test('a sale of 120.00 pays the seller 112.62', () => {
  expect(calculateFees(12_000, STANDARD_FEES, rounding)).toEqual({
    platformFee: 360,
    processingFee: 378,
    payout: 11_262,
  })
})

test('half a cent rounds up', () => {
  expect(calculateFees(1_050, STANDARD_FEES, rounding)).toEqual({
    platformFee: 32,
    processingFee: 60,
    payout: 958,
  })
})

test('the payout is zero, never negative, when the amount is smaller than the fees', () => {
  expect(calculateFees(1, STANDARD_FEES, rounding)).toEqual({ platformFee: 0, processingFee: 1, payout: 0 })
  expect(calculateFees(31, STANDARD_FEES, rounding)).toEqual({ platformFee: 1, processingFee: 30, payout: 0 })
})

test('the platform fee is at least the minimum, but never more than the amount', () => {
  const fees = { ...STANDARD_FEES, minimumFeeCents: 50 }
  expect(calculateFees(1_000, fees, rounding)).toEqual({ platformFee: 50, processingFee: 59, payout: 891 })
  expect(calculateFees(2_000, fees, rounding)).toMatchObject({ platformFee: 60 })
  expect(calculateFees(40, fees, rounding)).toEqual({ platformFee: 40, processingFee: 0, payout: 0 })
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
    (amount) => calculateFees(amount, tiered, rounding).platformFee,
  )
  expect(platformFees).toEqual([1_500, 1_250, 2_500, 2_000, 4_000])
})

test('a deal keeps the rate for its price when only a part of the price goes to the seller', () => {
  const rates = ratesOfDeal(100_000, { ...tiered, minimumFeeCents: 50 })
  expect(rates).not.toHaveProperty('feeTiers')
  expect(calculateRuling('split_difference', 100_000, rates, rounding)).toMatchObject({
    refund: 50_000,
    platformFee: 1_000,
  })
  expect(calculateRuling('refund_partial', 100_000, rates, rounding, 99_990)).toEqual({
    move: 'divide',
    refund: 99_990,
    platformFee: 10,
    processingFee: 0,
    payout: 0,
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
    fc.property(amounts, anyFees, (amount, { feeTiers, ...rates }) => {
      const fees = { ...rates, feeTiers: feeTiers.toSorted((a, b) => a.from - b.from) }
      const { platformFee, processingFee, payout } = calculateFees(amount, fees, rounding)
      expect(calculateFees(amount, ratesOfDeal(amount, fees), rounding).platformFee).toBe(platformFee)
      expect(platformFee + processingFee + payout).toBe(amount)
      expect(Math.min(platformFee, processingFee, payout)).toBeGreaterThanOrEqual(0)
    }),
  )
})
