import type { Range } from '../../format/amount.ts'

const MIN_CENTS = 100

/** The allowed offers: from 1 up to the maximum budget and the market's limit, if there are any (ADR 49, 21). */
export function getOfferRange(maxBudget: number, maxOfferCents: number | null): Range {
  const limits = [
    ...(maxBudget === 0 ? [] : [Math.round(maxBudget * 100)]),
    ...(maxOfferCents === null ? [] : [maxOfferCents]),
  ]
  if (limits.length === 0) return { minCents: MIN_CENTS, maxCents: null }
  const maxCents = Math.min(...limits)
  return { minCents: Math.min(MIN_CENTS, maxCents), maxCents }
}
