/** How many days a payment stays in escrow before it is released automatically. */
export interface HoldDays {
  holdDays: number
  holdDaysHighValue: number
}

/** The hold in a currency. */
export interface HoldRules extends HoldDays {
  /** Payments from this amount on are held longer (ADR 4). */
  highValue: number
}

/** The default of a market, for dollars. */
export const STANDARD_HOLD: HoldRules = { holdDays: 7, holdDaysHighValue: 14, highValue: 500_00 }

/**
 * After the first dispute that ends without a decision, the buyer has at least this long to confirm or dispute again
 * (ADR 10).
 */
const MIN_HOLD_AFTER_DISPUTE_HOURS = 48

/** How often the buyer can file a dispute about a deal. */
export const FILINGS_MAX = 2

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export function getHoldDays(amount: number, { holdDays, holdDaysHighValue, highValue }: HoldRules): number {
  return amount >= highValue ? holdDaysHighValue : holdDays
}

export function calculateHoldEnd(amount: number, heldAt: Date, hold: HoldRules): Date {
  return new Date(heldAt.getTime() + getHoldDays(amount, hold) * DAY_MS)
}

/**
 * A dispute pauses the hold: the time that was left at its filing continues from now. If `mayExtend`, which is so once
 * per deal, it is extended to 48 hours, by at most as much.
 */
export function resumeHold(
  heldUntil: Date,
  disputedAt: Date,
  now: Date,
  mayExtend: boolean,
): { heldUntil: Date; isExtended: boolean } {
  const remainingMs = heldUntil.getTime() - disputedAt.getTime()
  const missingMs = MIN_HOLD_AFTER_DISPUTE_HOURS * HOUR_MS - Math.max(remainingMs, 0)
  const isExtended = mayExtend && missingMs > 0
  return { heldUntil: new Date(now.getTime() + remainingMs + (isExtended ? missingMs : 0)), isExtended }
}
