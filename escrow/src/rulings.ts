import { assertAmount } from './amount.ts'
import { calculateFees, type FeeRates, type Fees } from './fees.ts'
import type { MoveName } from './moves.ts'

/** The admin rulings that end a dispute and move money (ADR 9). */
export type RulingAction = 'refund_full' | 'refund_partial' | 'release_seller' | 'split_difference'

/** How a ruling splits a payment. Refund, fees and payout sum to the amount. */
export interface Ruling extends Fees {
  move: Extract<MoveName, 'refund' | 'release' | 'divide'>
  refundCents: number
}

/** Null if the partial refund is out of range. Fees are charged on the seller's part only. */
export function calculateRuling(
  action: RulingAction,
  amountCents: number,
  rates: FeeRates,
  refundCents?: number,
): Ruling | null {
  assertAmount(amountCents)
  switch (action) {
    case 'refund_full':
      return splitAmount('refund', amountCents, amountCents, rates)
    case 'release_seller':
      return splitAmount('release', amountCents, 0, rates)
    case 'split_difference':
      // The buyer gets the odd cent.
      return splitAmount('divide', amountCents, Math.ceil(amountCents / 2), rates)
    case 'refund_partial':
      return isPartialRefund(refundCents, amountCents)
        ? splitAmount('divide', amountCents, refundCents, rates)
        : null
  }
}

function isPartialRefund(refundCents: number | undefined, amountCents: number): refundCents is number {
  return Number.isSafeInteger(refundCents) && Number(refundCents) > 0 && Number(refundCents) < amountCents
}

function splitAmount(
  move: Ruling['move'],
  amountCents: number,
  refundCents: number,
  rates: FeeRates,
): Ruling {
  return { move, refundCents, ...calculateFees(amountCents - refundCents, rates) }
}
