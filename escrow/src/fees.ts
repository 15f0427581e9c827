import { assertCents, calculateShare } from './cents.ts'

/** How the amount of a sale is split between fees and the seller (ADR 3). */
export interface Fees {
  platformCents: number
  processingCents: number
  payoutCents: number
}

/** The fees of a market. A hundred basis points are one percent. */
export interface FeeRates {
  platformFeeBasisPoints: number
  processingFeeBasisPoints: number
  processingFeeCents: number
}

/** The default fees of a market. */
export const STANDARD_FEES: FeeRates = {
  platformFeeBasisPoints: 300,
  processingFeeBasisPoints: 290,
  processingFeeCents: 30,
}

/**
 * Splits an amount into two fees and the payout. The three parts always sum to the amount.
 * If the amount is smaller than the fees, the fees are reduced so that the payout is never negative.
 */
export function calculateFees(amountCents: number, rates: FeeRates): Fees {
  assertCents(amountCents)
  const platformCents = Math.min(amountCents, calculateShare(amountCents, rates.platformFeeBasisPoints))
  const processingCents = Math.min(
    amountCents - platformCents,
    calculateShare(amountCents, rates.processingFeeBasisPoints) + rates.processingFeeCents,
  )
  return { platformCents, processingCents, payoutCents: amountCents - platformCents - processingCents }
}

const HIGHEST_PROCESSING_BASIS_POINTS = 340
const HIGHEST_PROCESSING_FLAT_CENTS = 150

/** The upper limit of the processing fee in the order summary. At least as high as the actual fee. */
export function findHighestProcessing(rates: FeeRates) {
  return {
    basisPoints: Math.max(HIGHEST_PROCESSING_BASIS_POINTS, rates.processingFeeBasisPoints),
    flatCents: Math.max(HIGHEST_PROCESSING_FLAT_CENTS, rates.processingFeeCents),
  }
}

export function calculateMaxProcessingCents(amountCents: number, rates: FeeRates): number {
  assertCents(amountCents)
  const { basisPoints, flatCents } = findHighestProcessing(rates)
  return calculateShare(amountCents, basisPoints) + flatCents
}
