/** What an amount may be. */
export interface Range {
  minCents: number
  /** Null where there is no end. */
  maxCents: number | null
}

/** The cents that a text says, or null where it says none or more than two decimals. */
export function parseCents(text: string): number | null {
  return /^\d{1,8}(\.\d{0,2})?$/.test(text.trim()) ? Math.round(Number(text) * 100) : null
}

export function isInRange({ minCents, maxCents }: Range, cents: number | null): cents is number {
  return cents !== null && cents >= minCents && (maxCents === null || cents <= maxCents)
}

/** As it stands in the number field. */
export const formatCentsForInput = (cents: number): string => (cents / 100).toFixed(2)
