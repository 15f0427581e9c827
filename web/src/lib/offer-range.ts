import type { Range } from './amount.ts'

const MIN_CENTS = 100

/** The allowed offers: from 1 to the maximum budget, or from 1 if the budget is open (ADR 20, 21). */
export function getOfferRange(maxBudget: number): Range {
  if (maxBudget === 0) return { minCents: MIN_CENTS, maxCents: null }
  const maxCents = Math.round(maxBudget * 100)
  return { minCents: Math.min(MIN_CENTS, maxCents), maxCents }
}
