import { CATEGORIES, MARKET_NAME, OFFER_EXPIRY_DAYS } from '@sought/contract/constants'
import type { Currency } from '@sought/contract/currencies'
import { getConfig, type Market } from '@sought/contract/platform'
import type { MarketFees } from '@sought/escrow/fees'
import { STANDARD_HOLD } from '@sought/escrow/hold'
import { useRead } from '../../data/calls.ts'

type Settings = Omit<Market, 'fees' | 'maxOfferCents' | 'highValueCents' | 'byCurrency'>

/** Used until the settings are loaded. Pages from the server contain them. */
const START: Settings = {
  name: MARKET_NAME,
  categories: [...CATEGORIES],
  mode: 'open',
  holdDays: STANDARD_HOLD.holdDays,
  holdDaysHighValue: STANDARD_HOLD.holdDaysHighValue,
  offerExpiryDays: OFFER_EXPIRY_DAYS,
  payoutDelayHours: 0,
  newSellerPayoutDelayDays: 0,
  logoUrl: null,
  policies: [],
}

const NO_LIMITS = { maxOfferCents: null, highValueCents: STANDARD_HOLD.highValue }

/** Replaces the default market name in a text. */
export const withMarketName = (text: string, name: string) => text.replaceAll(MARKET_NAME, name)

/** The public settings of the market. */
export function useMarket(): Settings {
  return useRead(getConfig).data?.market ?? START
}

/**
 * The fees for an offer that is accepted now. Null until they are loaded, because wrong fees must never be shown.
 */
export function useFees(currency: Currency): MarketFees | null {
  return useRead(getConfig).data?.market.byCurrency[currency]?.fees ?? null
}

/** The largest offer, and the amount from which payments are held longer. */
export function useLimits(currency: Currency): Pick<Market, 'maxOfferCents' | 'highValueCents'> {
  return useRead(getConfig).data?.market.byCurrency[currency] ?? NO_LIMITS
}
