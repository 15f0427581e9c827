import type { MarketFees } from '@sought/escrow/fees'
import { STANDARD_FEES } from '@sought/escrow/fees'
import { type Currency, rulesOf } from './currencies.ts'

/*
 * Amounts that a market begins with in each currency, and the bounds of what an operator may set. All are multiples of
 * the smallest charge, because no rate of exchange is part of the code (ADR 100).
 */

/** The currencies in which the amounts are round numbers of their own, those of dollars. */
const LIKE_DOLLARS: readonly Currency[] = ['usd', 'eur', 'myr']

function times(factor: number, currency: Currency): number {
  const { minCharge, maxCharge, step } = rulesOf(currency)
  const smallest = LIKE_DOLLARS.includes(currency) ? rulesOf('usd').minCharge : minCharge
  return Math.min(maxCharge, Math.round((factor * smallest) / step) * step)
}

/** The limits of a market in a currency. */
export interface CurrencyLimits {
  /** The largest offer. Null if only the budget and the provider limit it. */
  maxOfferCents: number | null
  /** Above this amount within 30 days, goodwill for a deal, for a recipient or by an admin needs a second admin. */
  goodwillApprovalCents: number
  /** Ratings of deals below this amount do not count in the public figure. */
  ratingMinCents: number
  /** Payments from this amount on are held longer (ADR 4). */
  highValueCents: number
}

export const defaultLimits = (currency: Currency): CurrencyLimits => ({
  maxOfferCents: times(20_000, currency),
  goodwillApprovalCents: times(200, currency),
  ratingMinCents: times(10, currency),
  highValueCents: times(1_000, currency),
})

export const defaultFees = (currency: Currency): MarketFees => ({
  ...STANDARD_FEES,
  processingFeeCents: times(0.6, currency),
})

/** What an operator may set at most. */
export const highestLimits = (currency: Currency) => ({
  processingFee: times(200, currency),
  minimumFee: times(2_000, currency),
  ratingMin: times(2_000, currency),
  /** Goodwill for a deal. */
  goodwill: times(20_000, currency),
})

/** The price of examples. */
export const examplePrice = (currency: Currency): number => times(240, currency)

/** The fixed part of the highest card fee in the order summary. */
export const highestProcessingFlat = (currency: Currency): number => times(3, currency)

/** The smallest offer: the smallest charge, but in whole main units where that is less than one. */
export const smallestOffer = (currency: Currency): number =>
  Math.max(rulesOf(currency).minCharge, LIKE_DOLLARS.includes(currency) ? 100 : 0)
