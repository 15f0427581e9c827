/** What an amount may be. */
export interface Range {
  leastCents: number
  /** Null where there is no end. */
  mostCents: number | null
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
