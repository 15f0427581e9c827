import type { Currency } from '@sought/contract/currencies'
import { rulesOf } from '@sought/contract/currencies'
import { smallestOffer } from '@sought/contract/currency-defaults'
import { minorOf } from '@sought/contract/money'
import type { Range } from '../../format/amount.ts'

/**
 * The allowed offers: up to the maximum budget, the market's limit and the largest charge (ADR 49, 21). A budget below
 * the smallest offer can be met as far as a card can be charged.
 */
export function getOfferRange(maxBudget: number, maxOffer: number | null, currency: Currency): Range {
  const { minCharge, maxCharge } = rulesOf(currency)
  const limits = [
    maxCharge,
    ...(maxBudget === 0 ? [] : [minorOf(maxBudget, currency)]),
    ...(maxOffer === null ? [] : [maxOffer]),
  ]
  const max = Math.min(...limits)
  const min = Math.max(minCharge, Math.min(smallestOffer(currency), max))
  return { min, max: limits.length === 1 ? null : max }
}
