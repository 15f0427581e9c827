/** Payments from this amount on are held longer (ADR 4). */
export const HIGH_VALUE_CENTS = 500_00

/** How many days a payment stays in escrow before it is released automatically. */
export interface HoldDays {
  holdDays: number
  holdDaysHighValue: number
}

/** The default of a market. */
export const STANDARD_HOLD: HoldDays = { holdDays: 7, holdDaysHighValue: 14 }

/** After withdrawing a dispute, the buyer has at least this long to confirm or dispute again (ADR 10). */
const MIN_HOLD_AFTER_DISPUTE_HOURS = 48

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export function getHoldDays(amountCents: number, { holdDays, holdDaysHighValue }: HoldDays): number {
  return amountCents >= HIGH_VALUE_CENTS ? holdDaysHighValue : holdDays
}

export function calculateHoldEnd(amountCents: number, heldAt: Date, hold: HoldDays): Date {
  return new Date(heldAt.getTime() + getHoldDays(amountCents, hold) * DAY_MS)
}

/** A dispute pauses the hold. When it ends, the hold lasts for the time that was left when it was filed. */
export function calculateResumedHoldEnd(heldUntil: Date, disputedAt: Date, now: Date): Date {
  const remainingMs = heldUntil.getTime() - disputedAt.getTime()
  return new Date(now.getTime() + Math.max(remainingMs, MIN_HOLD_AFTER_DISPUTE_HOURS * HOUR_MS))
}
