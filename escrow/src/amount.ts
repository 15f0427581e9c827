/**
 * What the provider takes in a currency: every amount is a multiple of `step`, and every payout of `payoutStep`, which
 * is a multiple of `step` (ADR 100).
 */
export interface Rounding {
  step: number
  payoutStep: number
}

/** Amounts are whole numbers of the smallest unit of their currency, and far below the limit of exact integers. */
export function assertAmount(amount: number): void {
  if (!Number.isSafeInteger(amount) || amount < 0) {
    throw new RangeError(`${amount} is not an amount in whole units`)
  }
}

/** A share of an amount, in basis points (1/100 of a percent), rounded half up to a multiple of `step`. */
export function calculateShare(amount: number, basisPoints: number, step: number): number {
  const whole = 10_000 * step
  // The product may be larger than 2^53.
  return Number((BigInt(amount) * BigInt(basisPoints) + BigInt(whole / 2)) / BigInt(whole)) * step
}

/** The largest multiple of `step` that is not larger. */
export const roundDown = (amount: number, step: number): number => amount - (amount % step)

/** `of * part / whole`, rounded down to a multiple of `step`. */
export function calculatePart(of: number, part: number, whole: number, step: number): number {
  if (whole === 0) return 0
  // The product may be larger than 2^53.
  return roundDown(Number((BigInt(of) * BigInt(part)) / BigInt(whole)), step)
}
