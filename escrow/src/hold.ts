/** How long the money waits for the buyer's word before it goes to the seller by itself (ADR 4). */
export const ESCROW_HOLD_DAYS = 7
export const ESCROW_HOLD_DAYS_HIGH_VALUE = 14
export const HIGH_VALUE_CENTS = 500_00

/** A dispute that is taken back leaves the buyer at least this long to look again (ADR 10). */
const LEAST_HOLD_AFTER_DISPUTE_HOURS = 48

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export function calculateHoldEnd(amountCents: number, heldAt: Date): Date {
  const days = amountCents >= HIGH_VALUE_CENTS ? ESCROW_HOLD_DAYS_HIGH_VALUE : ESCROW_HOLD_DAYS
  return new Date(heldAt.getTime() + days * DAY_MS)
}

/** A dispute stops the clock: what was left of the hold when it was filed runs on from now. */
export function calculateResumedHoldEnd(heldUntil: Date, disputedAt: Date, now: Date): Date {
  const leftMs = heldUntil.getTime() - disputedAt.getTime()
  return new Date(now.getTime() + Math.max(leftMs, LEAST_HOLD_AFTER_DISPUTE_HOURS * HOUR_MS))
}
