import fc from 'fast-check'
import { expect, test } from 'vitest'
import { STANDARD_FEES } from './fees.ts'
import { calculateRuling, type RulingAction } from './rulings.ts'

const anyAmount = fc.integer({ min: 1, max: 2_147_483_647 })

test('refund_full gives the buyer everything and charges no fees', () => {
  expect(calculateRuling('refund_full', 12_000, STANDARD_FEES)).toEqual({
    move: 'refund',
    refundCents: 12_000,
    platformCents: 0,
    processingCents: 0,
    payoutCents: 0,
  })
})

test('release_seller pays the seller the same as a confirmed delivery', () => {
  expect(calculateRuling('release_seller', 12_000, STANDARD_FEES)).toEqual({
    move: 'release',
    refundCents: 0,
    platformCents: 360,
    processingCents: 378,
    payoutCents: 11_262,
  })
})

test('refund_partial charges fees on the seller’s part only', () => {
  expect(calculateRuling('refund_partial', 12_000, STANDARD_FEES, 2_000)).toEqual({
    move: 'divide',
    refundCents: 2_000,
    platformCents: 300,
    processingCents: 320,
    payoutCents: 9_380,
  })
})

test('split_difference gives the odd cent to the buyer', () => {
  expect(calculateRuling('split_difference', 10_001, STANDARD_FEES)).toMatchObject({
    move: 'divide',
    refundCents: 5_001,
  })
  expect(calculateRuling('split_difference', 1, STANDARD_FEES)).toMatchObject({
    move: 'divide',
    refundCents: 1,
    payoutCents: 0,
  })
})

test.each([
  // 123.45 to the seller: the platform fee is 3.70, the processing fee 3.58 + 0.30.
  [
    'release_seller',
    12_345,
    undefined,
    { refundCents: 0, platformCents: 370, processingCents: 388, payoutCents: 11_587 },
  ],
  // 60.00 to the seller: 3 % are 1.80; 2.9 % and 0.30 are 2.04.
  [
    'refund_partial',
    10_001,
    4_001,
    { refundCents: 4_001, platformCents: 180, processingCents: 204, payoutCents: 5_616 },
  ],
  // 1.01 is split: the buyer gets the odd cent. The seller gets 0.50 minus the fees of 0.02 and 0.31.
  [
    'split_difference',
    101,
    undefined,
    { refundCents: 51, platformCents: 2, processingCents: 31, payoutCents: 17 },
  ],
  // 0.50 is split: the fees use up the seller's half, but no more.
  [
    'split_difference',
    50,
    undefined,
    { refundCents: 25, platformCents: 1, processingCents: 24, payoutCents: 0 },
  ],
] as const)('%s of %i cents is calculated to the cent', (action, amount, refund, expected) => {
  expect(calculateRuling(action, amount, STANDARD_FEES, refund)).toMatchObject(expected)
})

test('a partial refund must be whole cents, above zero and below the amount', () => {
  for (const refund of [undefined, 0, -1, 12_000, 12_001, 0.5, Number.NaN]) {
    expect(calculateRuling('refund_partial', 12_000, STANDARD_FEES, refund)).toBeNull()
  }
  expect(calculateRuling('refund_partial', 2, STANDARD_FEES, 1)).toMatchObject({ refundCents: 1 })
})

test('the parts of every ruling sum to the amount and none is negative', () => {
  const actions: RulingAction[] = ['refund_full', 'refund_partial', 'release_seller', 'split_difference']
  fc.assert(
    fc.property(anyAmount, fc.double({ min: 0, max: 1, noNaN: true }), (amount, part) => {
      for (const action of actions) {
        const decided = calculateRuling(action, amount, STANDARD_FEES, Math.floor(amount * part))
        if (!decided) continue
        const { refundCents, platformCents, processingCents, payoutCents } = decided
        expect(refundCents + platformCents + processingCents + payoutCents).toBe(amount)
        expect(Math.min(refundCents, platformCents, processingCents, payoutCents)).toBeGreaterThanOrEqual(0)
      }
    }),
  )
})

test.each([0.5, -1, Number.NaN, 2 ** 53])(
  '%s is refused, because it is not an amount in whole cents',
  (amount) => {
    expect(() => calculateRuling('refund_full', amount, STANDARD_FEES)).toThrow(RangeError)
  },
)
