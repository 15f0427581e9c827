/** What a sale costs the seller, and what is left (ADR 3). All amounts are whole cents. */
export interface Fees {
  platformCents: number
  processingCents: number
  payoutCents: number
}

const PLATFORM_BASIS_POINTS = 300
const PROCESSING_BASIS_POINTS = 290
const PROCESSING_FLAT_CENTS = 30

/** A share of an amount, rounded half up. Integer arithmetic throughout: no fraction is ever stored. */
function share(amountCents: number, basisPoints: number): number {
  return Math.floor((amountCents * basisPoints + 5_000) / 10_000)
}

/**
 * Splits an amount into the two fees and the payout, which always sum to it.
 * On amounts too small to bear both, the payout is never negative: the fees shrink to what is there.
 */
export function fees(amountCents: number): Fees {
  const platformCents = Math.min(amountCents, share(amountCents, PLATFORM_BASIS_POINTS))
  const processingCents = Math.min(
    amountCents - platformCents,
    share(amountCents, PROCESSING_BASIS_POINTS) + PROCESSING_FLAT_CENTS,
  )
  return { platformCents, processingCents, payoutCents: amountCents - platformCents - processingCents }
}
