import { EVIDENCE_MAX_BYTES, EVIDENCE_MAX_FILES, PURCHASE_IP_KEPT_DAYS } from '@sought/contract/constants'
import { type Currency, rulesOf } from '@sought/contract/currencies'
import { examplePrice } from '@sought/contract/currency-defaults'
import { APPEAL_MAX_LENGTH } from '@sought/contract/moderation'
import { mainOf } from '@sought/contract/money'
import { REVIEW_DAYS, REVIEW_TAGS_MAX } from '@sought/contract/reviews'
import { ADDRESS_KEPT_DAYS } from '@sought/escrow/delivery'
import { calculateFees, type MarketFees } from '@sought/escrow/fees'
import { STANDARD_HOLD } from '@sought/escrow/hold'
import {
  describeMaxProcessingFee,
  describePlatformFee,
  describeProcessingFee,
} from '../../format/fee-texts.ts'
import { formatAmount, formatMoney } from '../../format/money.ts'
import { useFirstCurrency } from '../market/currency.ts'
import { useFees, useMarket } from '../market/market.ts'

/**
 * Numbers in the policies that no code enforces. Numbers that the server enforces are imported from the
 * contract and from escrow.
 */

export const LAST_UPDATED = '2026-11-19'

/** How long each step of a dispute takes. */
export const disputeTimes = {
  directContact: '48 hours',
  initialReview: '24 hours',
  investigation: '3-5 business days',
  decision: '7 business days',
  funds: '1-2 business days',
  filingWindow: '7 days',
  highValue: '14 days',
  multiParty: '10 days',
  fraud: '21 days',
  fastTrack: 'the same day or within 24 hours',
  appealWindow: '7 days',
  appealReview: '14 business days',
} as const

/** How long a refund takes to arrive, by payment method. */
export const refundTimes = {
  card: '3-5 business days',
  bank: '5-7 business days',
  wallet: '1-3 business days',
} as const

/** How long a payout takes to reach the seller's bank. */
export const PAYOUT_TIME = '3-5 business days'

export const retention = {
  transactions: '7 years',
  support: '3 years',
  marketing: '2 years of inactivity',
} as const

/** Our own deadlines. */
export const promises = {
  noticeOfChanges: '30 days',
  answerToRights: 'one month',
  liabilityMonths: '12 months',
} as const

export const MINIMUM_AGE = 18

/**
 * How long cookies last after the last visit: the session cookie, and the cookie that recognises the browser.
 */
export const SESSION_DAYS = 30
export const DEVICE_DAYS = 400

/** The minimum time in escrow after a dispute was withdrawn. */
export const WITHDRAWAL_HOLD_HOURS = 48

/** All deployments share these texts. The terms say what applies to other currencies. */
const CURRENCY = 'usd'

export const HIGH_VALUE = formatAmount(mainOf(STANDARD_HOLD.highValue, CURRENCY), CURRENCY)
export const APPEAL_LENGTH = APPEAL_MAX_LENGTH.toLocaleString('en-US')
export const EVIDENCE_MAX_SIZE = `${EVIDENCE_MAX_BYTES / 1024 / 1024} MB`

/** The names of the figures in the built-in policies. */
export const POLICY_FIGURES = {
  disputeTimes,
  refundTimes,
  retention,
  promises,
  payoutTime: PAYOUT_TIME,
  minimumAge: MINIMUM_AGE,
  sessionDays: SESSION_DAYS,
  deviceDays: DEVICE_DAYS,
  withdrawalHoldHours: WITHDRAWAL_HOLD_HOURS,
  highValue: HIGH_VALUE,
  appealLength: APPEAL_LENGTH,
  evidenceMaxSize: EVIDENCE_MAX_SIZE,
  evidenceMaxFiles: EVIDENCE_MAX_FILES,
  reviewDays: REVIEW_DAYS,
  reviewTagsMax: REVIEW_TAGS_MAX,
  addressKeptDays: ADDRESS_KEPT_DAYS,
  purchaseIpKeptDays: PURCHASE_IP_KEPT_DAYS,
} as const

/** Figures that the market sets. Fees are shown as dots until they are loaded. */
export interface MarketFigures {
  holdDays: number
  holdDaysHighValue: number
  offerExpiryDays: number
  rates: { platform: string; card: string; cardHighest: string }
  /** The fees of an example sale. */
  feeExample: { amount: string; platform: string; card: string; payout: string }
}

export function useMarketFigures(): MarketFigures {
  const currency = useFirstCurrency()
  return describeMarket(useMarket(), useFees(currency), currency)
}

type Days = Pick<MarketFigures, 'holdDays' | 'holdDaysHighValue' | 'offerExpiryDays'>

export function describeMarket(days: Days, fees: MarketFees | null, currency: Currency): MarketFigures {
  const { holdDays, holdDaysHighValue, offerExpiryDays } = days
  return { holdDays, holdDaysHighValue, offerExpiryDays, ...describeFees(fees, currency) }
}

function describeFees(
  fees: MarketFees | null,
  currency: Currency,
): Pick<MarketFigures, 'rates' | 'feeExample'> {
  const price = examplePrice(currency)
  const amount = formatMoney(price, currency)
  if (!fees)
    return {
      rates: { platform: '…', card: '…', cardHighest: '…' },
      feeExample: { amount, platform: '…', card: '…', payout: '…' },
    }
  const { platformFee, processingFee, payout } = calculateFees(price, fees, rulesOf(currency))
  return {
    rates: {
      platform: describePlatformFee(fees, currency),
      card: describeProcessingFee(fees, currency),
      cardHighest: describeMaxProcessingFee(fees, currency),
    },
    feeExample: {
      amount,
      platform: formatMoney(platformFee, currency),
      card: formatMoney(processingFee, currency),
      payout: formatMoney(payout, currency),
    },
  }
}
