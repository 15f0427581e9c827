import { assertCents, calculateShare } from './cents.ts'

/** How the amount of a sale is split between fees and the seller (ADR 3). */
export interface Fees {
  platformCents: number
  processingCents: number
  payoutCents: number
}

const PLATFORM_BASIS_POINTS = 300
const PROCESSING_BASIS_POINTS = 290
const PROCESSING_FLAT_CENTS = 30

/**
 * Splits an amount into two fees and the payout. The three parts always sum to the amount.
 * If the amount is smaller than the fees, the fees are reduced so that the payout is never negative.
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

/** The upper limit of the card processing fee that the order summary shows. It is never charged. */
export function calculateMaxProcessingCents(amountCents: number): number {
  assertCents(amountCents)
  return calculateShare(amountCents, HIGHEST_PROCESSING_BASIS_POINTS) + HIGHEST_PROCESSING_FLAT_CENTS
}
