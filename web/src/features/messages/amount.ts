import type { Range } from '../../lib/amount.ts'

const LEAST_CENTS = 100

/** What an offer on an item may be: from 1 to the budget; without a budget, anything from 1 (ADR 20, 21). */
export function rangeOf(maxBudget: number): Range {
  if (maxBudget === 0) return { minCents: LEAST_CENTS, maxCents: null }
  const maxCents = Math.round(maxBudget * 100)
  return { minCents: Math.min(LEAST_CENTS, maxCents), maxCents }
}
