import { EVIDENCE_MAX_BYTES } from '@sought/contract/constants'
import { calculateFees } from '@sought/escrow/fees'
import { HIGH_VALUE_CENTS } from '@sought/escrow/hold'
import { formatAmount, formatCents } from '../../lib/money.ts'

/**
 * The figures that stand in the policies and that no code enforces (spec §9, 'Policy text' and 'Retention').
 * What the server does enforce comes from the contract and from escrow; each number stands once.
 */

export const LAST_UPDATED = { iso: '2026-11-15', words: '15 November 2026' } as const

export const SUPPORT_EMAIL = 'support@sought.example'

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

/** How long a refund takes to show, by the way the buyer paid. */
export const refundTimes = {
  card: '3-5 business days',
  bank: '5-7 business days',
  wallet: '1-3 business days',
} as const

/** How long a seller's bank takes to receive what was released. */
export const PAYOUT_TIME = '3-5 business days'

export const retention = {
  transactions: '7 years',
  support: '3 years',
  marketing: '2 years of inactivity',
} as const

/** What we promise about these pages themselves and about answers to rights requests. */
export const promises = {
  noticeOfChanges: '30 days',
  answerToRights: 'one month',
  liabilityMonths: '12 months',
} as const

export const MINIMUM_AGE = 18

/** The rolling life of the session cookie. */
export const SESSION_DAYS = 30

/** The least time a payment stays in escrow after its dispute was withdrawn. */
export const WITHDRAWAL_HOLD_HOURS = 48

/** The policies are one text for every deployment; the terms say what this means where another currency is used. */
const CURRENCY = 'usd'

export const HIGH_VALUE = formatAmount(HIGH_VALUE_CENTS / 100, CURRENCY)
export const EVIDENCE_MAX_SIZE = `${EVIDENCE_MAX_BYTES / 1024 / 1024} MB`

/** The rates that escrow/fees.ts applies, in words, and what they make of one sale. */
export const rates = {
  platform: '3%',
  card: '2.9% + $0.30',
  cardHighest: '3.4% + $1.50',
} as const

const EXAMPLE_CENTS = 120_00
const exampleFees = calculateFees(EXAMPLE_CENTS)

export const feeExample = {
  amount: formatCents(EXAMPLE_CENTS, CURRENCY),
  platform: formatCents(exampleFees.platformCents, CURRENCY),
  card: formatCents(exampleFees.processingCents, CURRENCY),
  payout: formatCents(exampleFees.payoutCents, CURRENCY),
}
