import { assertAmount, type Rounding, roundDown } from './amount.ts'
import { calculateFees, type FeeRates, type Fees } from './fees.ts'
import type { MoveName } from './moves.ts'

/** The admin rulings that end a dispute and move money (ADR 9). */
export type RulingAction = 'refund_full' | 'refund_partial' | 'release_seller' | 'split_difference'

/** How a ruling splits a payment. Refund, fees and payout sum to the amount. */
export interface Ruling extends Fees {
  move: Extract<MoveName, 'refund' | 'release' | 'divide'>
  refund: number
}

/** Null if the partial refund is out of range or off the currency's step. Fees are charged on the seller's part only. */
export function calculateRuling(
  action: RulingAction,
  amount: number,
  rates: FeeRates,
  rounding: Rounding,
  refund?: number,
): Ruling | null {
  assertAmount(amount)
  const split = (move: Ruling['move'], refunded: number): Ruling => ({
    move,
    refund: refunded,
    ...calculateFees(amount - refunded, rates, rounding),
  })
  switch (action) {
    case 'refund_full':
      return split('refund', amount)
    case 'release_seller':
      return split('release', 0)
    case 'split_difference':
      // The buyer gets what cannot be halved.
      return split('divide', amount - roundDown(Math.floor(amount / 2), rounding.step))
    case 'refund_partial':
      return isPartialRefund(refund, amount, rounding) ? split('divide', refund) : null
  }
}

function isPartialRefund(refund: number | undefined, amount: number, { step }: Rounding): refund is number {
  return refund !== undefined && refund > 0 && refund < amount && Number.isSafeInteger(refund / step)
}
