const LEAST_CENTS = 100

/** What an offer on an item may be: from 1 to the budget; without a budget, anything from 1 (ADR 20, 21). */
export interface Range {
  leastCents: number
  /** Null for an open budget. */
  mostCents: number | null
}

export function rangeOf(maxBudget: number): Range {
  if (maxBudget === 0) return { leastCents: LEAST_CENTS, mostCents: null }
  const mostCents = Math.round(maxBudget * 100)
  return { leastCents: Math.min(LEAST_CENTS, mostCents), mostCents }
}

/** The cents that a text says, or null where it says none or more than two decimals. */
export function parseCents(text: string): number | null {
  return /^\d{1,8}(\.\d{0,2})?$/.test(text.trim()) ? Math.round(Number(text) * 100) : null
}

export function isWithin({ leastCents, mostCents }: Range, cents: number | null): cents is number {
  return cents !== null && cents >= leastCents && (mostCents === null || cents <= mostCents)
}

/** As it stands in the number field. */
export const asText = (cents: number): string => (cents / 100).toFixed(2)
