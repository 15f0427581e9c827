import { CATEGORIES, MARKET_NAME, OFFER_EXPIRY_DAYS } from '@sought/contract/constants'
import { getConfig, type Market } from '@sought/contract/platform'
import { STANDARD_FEES } from '@sought/escrow/fees'
import { ESCROW_HOLD_DAYS, ESCROW_HOLD_DAYS_HIGH_VALUE } from '@sought/escrow/hold'
import { useRead } from './calls.ts'

/** Shown until the settings are known. Pages of the server contain them. */
const START: Market = {
  name: MARKET_NAME,
  categories: [...CATEGORIES],
  mode: 'open',
  fees: STANDARD_FEES,
  holdDays: ESCROW_HOLD_DAYS,
  holdDaysHighValue: ESCROW_HOLD_DAYS_HIGH_VALUE,
  offerExpiryDays: OFFER_EXPIRY_DAYS,
  maxOfferCents: null,
}

/** A text that was written with the name that a market starts with. */
export const withMarketName = (text: string, name: string) => text.replaceAll(MARKET_NAME, name)

/** The settings of the market that everybody may know. */
export function useMarket(): Market {
  return useRead(getConfig).data?.market ?? START
}
