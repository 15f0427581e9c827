/** How long a payment stays in escrow before it is released automatically (ADR 4). */
export const ESCROW_HOLD_DAYS = 7
export const ESCROW_HOLD_DAYS_HIGH_VALUE = 14
export const HIGH_VALUE_CENTS = 500_00

/** After withdrawing a dispute, the buyer has at least this long to confirm or dispute again (ADR 10). */
const MIN_HOLD_AFTER_DISPUTE_HOURS = 48

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export function calculateHoldEnd(amountCents: number, heldAt: Date): Date {
  const days = amountCents >= HIGH_VALUE_CENTS ? ESCROW_HOLD_DAYS_HIGH_VALUE : ESCROW_HOLD_DAYS
  return new Date(heldAt.getTime() + days * DAY_MS)
}

/** A dispute pauses the hold: the time that was left when it was filed continues from now. */
export function calculateResumedHoldEnd(heldUntil: Date, disputedAt: Date, now: Date): Date {
  const remainingMs = heldUntil.getTime() - disputedAt.getTime()
  return new Date(now.getTime() + Math.max(remainingMs, MIN_HOLD_AFTER_DISPUTE_HOURS * HOUR_MS))
}
