import { assertCents, calculateShare } from './cents.ts'

/** What a sale costs the seller, and what is left (ADR 3). All amounts are whole cents. */
export interface Fees {
  platformCents: number
  processingCents: number
  payoutCents: number
}

const PLATFORM_BASIS_POINTS = 300
const PROCESSING_BASIS_POINTS = 290
const PROCESSING_FLAT_CENTS = 30

/**
 * Splits an amount into the two fees and the payout, which always sum to it.
 * On amounts too small to bear both, the payout is never negative: the fees shrink to what is there.
 */
export function calculateFees(amountCents: number): Fees {
  assertCents(amountCents)
  const platformCents = Math.min(amountCents, calculateShare(amountCents, PLATFORM_BASIS_POINTS))
  const processingCents = Math.min(
    amountCents - platformCents,
    calculateShare(amountCents, PROCESSING_BASIS_POINTS) + PROCESSING_FLAT_CENTS,
  )
  return { platformCents, processingCents, payoutCents: amountCents - platformCents - processingCents }
}

const HIGHEST_PROCESSING_BASIS_POINTS = 340
const HIGHEST_PROCESSING_FLAT_CENTS = 150

/** The most that card processing may cost the seller, as the order summary shows it. Nobody is charged by it. */
export function calculateMaxProcessingCents(amountCents: number): number {
  assertCents(amountCents)
  return calculateShare(amountCents, HIGHEST_PROCESSING_BASIS_POINTS) + HIGHEST_PROCESSING_FLAT_CENTS
}
