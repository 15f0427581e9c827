import fc from 'fast-check'
import { expect, test } from 'vitest'
import { STANDARD_FEES } from './fees.ts'
import { calculateRuling, type RulingAction } from './rulings.ts'

const rounding = { step: 1, payoutStep: 1 }

const anyAmount = fc.integer({ min: 1, max: 2_147_483_647 })

test('refund_full gives the buyer everything and charges no fees', () => {
  expect(calculateRuling('refund_full', 12_000, STANDARD_FEES, rounding)).toEqual({
    move: 'refund',
    refund: 12_000,
    platformFee: 0,
    processingFee: 0,
    payout: 0,
  })
})

test('release_seller pays the seller the same as a confirmed delivery', () => {
  expect(calculateRuling('release_seller', 12_000, STANDARD_FEES, rounding)).toEqual({
    move: 'release',
    refund: 0,
    platformFee: 360,
    processingFee: 378,
    payout: 11_262,
  })
})

test('refund_partial charges fees on the seller’s part only', () => {
  expect(calculateRuling('refund_partial', 12_000, STANDARD_FEES, rounding, 2_000)).toEqual({
    move: 'divide',
    refund: 2_000,
    platformFee: 300,
    processingFee: 320,
    payout: 9_380,
  })
})

test('split_difference gives the odd cent to the buyer', () => {
  expect(calculateRuling('split_difference', 10_001, STANDARD_FEES, rounding)).toMatchObject({
    move: 'divide',
    refund: 5_001,
  })
  expect(calculateRuling('split_difference', 1, STANDARD_FEES, rounding)).toMatchObject({
    move: 'divide',
    refund: 1,
    payout: 0,
  })
})

test.each([
  // 123.45 to the seller: the platform fee is 3.70, the processing fee 3.58 + 0.30.
  ['release_seller', 12_345, undefined, { refund: 0, platformFee: 370, processingFee: 388, payout: 11_587 }],
  // 60.00 to the seller: 3 % are 1.80; 2.9 % and 0.30 are 2.04.
  ['refund_partial', 10_001, 4_001, { refund: 4_001, platformFee: 180, processingFee: 204, payout: 5_616 }],
  // 1.01 is split: the buyer gets the odd cent. The seller gets 0.50 minus the fees of 0.02 and 0.31.
  ['split_difference', 101, undefined, { refund: 51, platformFee: 2, processingFee: 31, payout: 17 }],
  // 0.50 is split: the fees use up the seller's half, but no more.
  ['split_difference', 50, undefined, { refund: 25, platformFee: 1, processingFee: 24, payout: 0 }],
] as const)('%s of %i amount is calculated to the cent', (action, amount, refund, expected) => {
  expect(calculateRuling(action, amount, STANDARD_FEES, rounding, refund)).toMatchObject(expected)
})

test('a partial refund must be whole amount, above zero and below the amount', () => {
  for (const refund of [undefined, 0, -1, 12_000, 12_001, 0.5, Number.NaN]) {
    expect(calculateRuling('refund_partial', 12_000, STANDARD_FEES, rounding, refund)).toBeNull()
  }
  expect(calculateRuling('refund_partial', 2, STANDARD_FEES, rounding, 1)).toMatchObject({ refund: 1 })
})

test('the parts of every ruling sum to the amount and none is negative', () => {
  const actions: RulingAction[] = ['refund_full', 'refund_partial', 'release_seller', 'split_difference']
  fc.assert(
    fc.property(anyAmount, fc.double({ min: 0, max: 1, noNaN: true }), (amount, part) => {
      for (const action of actions) {
        const decided = calculateRuling(action, amount, STANDARD_FEES, rounding, Math.floor(amount * part))
        if (!decided) continue
        const { refund, platformFee, processingFee, payout } = decided
        expect(refund + platformFee + processingFee + payout).toBe(amount)
        expect(Math.min(refund, platformFee, processingFee, payout)).toBeGreaterThanOrEqual(0)
      }
    }),
  )
})

test.each([0.5, -1, Number.NaN, 2 ** 53])(
  '%s is refused, because it is not an amount in whole amount',
  (amount) => {
    expect(() => calculateRuling('refund_full', amount, STANDARD_FEES, rounding)).toThrow(RangeError)
  },
)
