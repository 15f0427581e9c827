import fc from 'fast-check'
import { expect, test } from 'vitest'
import { calculateFees, STANDARD_FEES } from './fees.ts'

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

test('fees and payout always sum to the amount', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2_147_483_647 }), (amountCents) => {
      const { platformCents, processingCents, payoutCents } = calculateFees(amountCents, STANDARD_FEES)
      expect(platformCents + processingCents + payoutCents).toBe(amountCents)
      expect(Math.min(platformCents, processingCents, payoutCents)).toBeGreaterThanOrEqual(0)
    }),
  )
})
