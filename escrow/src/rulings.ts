import { assertCents } from './cents.ts'
import { calculateFees, type Fees } from './fees.ts'
import type { MoveName } from './moves.ts'

/** What ends a dispute: the four rulings of an admin that move money (ADR 9). */
export type RulingAction = 'refund_full' | 'refund_partial' | 'release_seller' | 'split_difference'

/** Where every cent of a payment goes. Refund, fees and payout sum to the amount. */
export interface Ruling extends Fees {
  move: Extract<MoveName, 'refund' | 'release' | 'divide'>
  refundCents: number
}

/** Null when the refund is not one that can be made. Fees are taken on the seller's part alone. */
export function calculateRuling(
  action: RulingAction,
  amountCents: number,
  refundCents?: number,
): Ruling | null {
  assertCents(amountCents)
  switch (action) {
    case 'refund_full':
      return divided('refund', amountCents, amountCents)
    case 'release_seller':
      return divided('release', amountCents, 0)
    case 'split_difference':
      // The odd cent is the buyer's, even where it is the only one.
      return divided('divide', amountCents, Math.ceil(amountCents / 2))
    case 'refund_partial':
      return isPart(refundCents, amountCents) ? divided('divide', amountCents, refundCents) : null
  }
}

function isPart(refundCents: number | undefined, amountCents: number): refundCents is number {
  return Number.isSafeInteger(refundCents) && Number(refundCents) > 0 && Number(refundCents) < amountCents
}

function divided(move: Ruling['move'], amountCents: number, refundCents: number): Ruling {
  return { move, refundCents, ...calculateFees(amountCents - refundCents) }
}
