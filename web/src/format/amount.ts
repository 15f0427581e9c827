/** The allowed amounts. */
export interface Range {
  minCents: number
  /** Null if there is no maximum. */
  maxCents: number | null
}

/** Parses an amount such as '12.50' to cents. Null if it is not a number or has more than two decimals. */
export function parseCents(text: string): number | null {
  return /^\d{1,8}(\.\d{0,2})?$/.test(text.trim()) ? Math.round(Number(text) * 100) : null
}

export function isInRange({ minCents, maxCents }: Range, cents: number | null): cents is number {
  return cents !== null && cents >= minCents && (maxCents === null || cents <= maxCents)
}

/** The value of a number field, such as '12.50'. */
export const formatAmountForInput = (cents: number): string => (cents / 100).toFixed(2)
