import { invalidCard } from '../http/api-error.ts'

/*
 * Stripe's published test cards and how each behaves. Any other number could be a real card: it is
 * declined, as in Stripe's test mode, and never stored.
 */

export interface Decline {
  code: string
  declineCode?: string
  message: string
}

export interface TestCard {
  /** The part of its token after `pm_card_`. */
  name: string
  number: string
  /** Requires authentication (3D Secure). */
  authenticates?: true
  decline?: Decline
  /** Stays in `processing` for a few seconds. */
  slow?: true
  refunds?: 'later' | 'fail'
  /** The money is available immediately. */
  bypassesPending?: true
  /** The charge is disputed as soon as it succeeds. */
  dispute?: TestDispute
  /** The card network reports the charge as suspicious. */
  fraudWarning?: true
  triggers?: Trigger
  /** The charge has an elevated risk and is put into review. */
  review?: true
}

/** What a test card does to a connected account: ask for later requirements, or block what they are overdue for. */
export type Trigger = 'requirements' | 'charges' | 'payouts'

export interface TestDispute {
  reason: 'fraudulent' | 'noncompliant' | 'product_not_received'
  /** A chargeback if omitted. */
  caseType?: 'compliance' | 'inquiry'
  /** The number of disputes, each about an equal part; 1 if omitted. */
  parts?: number
}

const declined = (declineCode: string, message = 'Your card was declined.'): Decline => ({
  code: 'card_declined',
  declineCode,
  message,
})

const declines = {
  generic: declined('generic_decline'),
  funds: declined('insufficient_funds', 'Your card has insufficient funds.'),
  lost: declined('lost_card'),
  stolen: declined('stolen_card'),
  fraudulent: declined('fraudulent'),
  velocity: declined('card_velocity_exceeded'),
  liveCard: declined(
    'test_mode_live_card',
    'Your card was declined. Your request was in test mode, but used a non test card. For a list of valid test cards, visit: https://stripe.com/docs/testing.',
  ),
  expired: { code: 'expired_card', message: 'Your card has expired.' },
  cvc: { code: 'incorrect_cvc', message: "Your card's security code is incorrect." },
  processing: {
    code: 'processing_error',
    message: 'An error occurred while processing your card. Try again in a little bit.',
  },
} satisfies Record<string, Decline>

export const TEST_CARDS: TestCard[] = [
  { name: 'visa', number: '4242424242424242' },
  { name: 'visa_alternate', number: '4012888888881881' },
  { name: 'visa_debit', number: '4000056655665556' },
  { name: 'mastercard', number: '5555555555554444' },
  { name: 'mastercard_2_series', number: '2223003122003222' },
  { name: 'mastercard_debit', number: '5200828282828210' },
  { name: 'mastercard_prepaid', number: '5105105105105100' },
  { name: 'amex', number: '378282246310005' },
  { name: 'amex_alternate', number: '371449635398431' },
  { name: 'discover', number: '6011111111111117' },
  { name: 'discover_alternate', number: '6011000990139424' },
  { name: 'diners', number: '3056930009020004' },
  { name: 'diners_14_digits', number: '36227206271667' },
  { name: 'jcb', number: '3566002020360505' },
  { name: 'unionpay', number: '6200000000000005' },
  { name: 'bypassPending', number: '4000000000000077', bypassesPending: true },
  { name: 'bypassPendingInternational', number: '4000003720000278', bypassesPending: true },
  { name: 'my', number: '4000004580000002' },
  { name: 'gb', number: '4000008260000000' },

  { name: 'chargeDeclined', number: '4000000000000002', decline: declines.generic },
  { name: 'chargeDeclinedInsufficientFunds', number: '4000000000009995', decline: declines.funds },
  { name: 'chargeDeclinedLostCard', number: '4000000000009987', decline: declines.lost },
  { name: 'chargeDeclinedStolenCard', number: '4000000000009979', decline: declines.stolen },
  { name: 'chargeDeclinedExpiredCard', number: '4000000000000069', decline: declines.expired },
  { name: 'chargeDeclinedIncorrectCvc', number: '4000000000000127', decline: declines.cvc },
  { name: 'chargeDeclinedProcessingError', number: '4000000000000119', decline: declines.processing },
  { name: 'chargeDeclinedVelocityLimitExceeded', number: '4000000000006975', decline: declines.velocity },
  { name: 'chargeCustomerFail', number: '4000000000000341', decline: declines.generic },
  { name: 'radarBlock', number: '4100000000000019', decline: declines.fraudulent },
  { name: 'riskLevelHighest', number: '4000000000004954', decline: declines.fraudulent },
  { name: 'riskLevelElevated', number: '4000000000009235', review: true },

  { name: 'authenticationRequiredOnSetup', number: '4000002500003155', authenticates: true },
  { name: 'authenticationRequired', number: '4000002760003184', authenticates: true },
  { name: 'threeDSecure2Required', number: '4000000000003220', authenticates: true },
  { name: 'threeDSecureRequired', number: '4000000000003063', authenticates: true },
  {
    name: 'threeDSecureRequiredChargeDeclined',
    number: '4000008400001629',
    authenticates: true,
    decline: declines.generic,
  },
  {
    name: 'authenticationRequiredChargeDeclinedInsufficientFunds',
    number: '4000008260003178',
    authenticates: true,
    decline: declines.funds,
  },

  { name: 'createDispute', number: '4000000000000259', dispute: { reason: 'fraudulent' } },
  {
    name: 'createDisputeProductNotReceived',
    number: '4000000000002685',
    dispute: { reason: 'product_not_received' },
  },
  {
    name: 'createDisputeInquiry',
    number: '4000000000001976',
    dispute: { reason: 'fraudulent', caseType: 'inquiry' },
  },
  { name: 'createIssuerFraudRecord', number: '4000000000005423', fraudWarning: true },
  {
    name: 'createMultipleDisputes',
    number: '4000000404000079',
    dispute: { reason: 'fraudulent', parts: 2 },
  },
  { name: 'createCe3EligibleDispute', number: '4000000404000038', dispute: { reason: 'fraudulent' } },
  {
    name: 'createComplianceDispute',
    number: '4000008400000779',
    dispute: { reason: 'noncompliant', caseType: 'compliance' },
  },
  { name: 'triggerNextRequirements', number: '4000000000004202', triggers: 'requirements' },
  { name: 'triggerChargeBlock', number: '4000000000004210', triggers: 'charges' },
  { name: 'triggerPayoutBlock', number: '4000000000004236', triggers: 'payouts' },
  { name: 'pendingRefund', number: '4000000000007726', refunds: 'later' },
  { name: 'refundFail', number: '4000000000005126', refunds: 'fail' },

  // Not one of Stripe's test cards: Stripe has none that stays in `processing`, a state that clients must handle.
  { name: 'slow', number: '4000000000000580', slow: true },
]

const byNumber = new Map(TEST_CARDS.map((card) => [card.number, card]))
const byName = new Map(TEST_CARDS.map((card) => [card.name, card]))

/** Some newer tokens include the brand: `pm_card_visa_chargeDeclined`. */
export function findCardByToken(token: string): TestCard | undefined {
  const name = token.replace(/^pm_card_/, '')
  return byName.get(name) ?? byName.get(name.replace(/^visa_/, ''))
}

/** The test card of a payment method, if it is a card. Unknown cards are declined. */
export function findTestCard({ hidden: { card } }: { hidden: { card?: string } }): TestCard | undefined {
  if (card === undefined) return undefined
  return byName.get(card) ?? { name: card, number: '', decline: declines.liveCard }
}

export interface CardDetails {
  number: string
  exp_month: number
  exp_year: number
  cvc?: string | undefined
}

/** Validates the card details and finds the test card. */
export function identifyCard(
  { number: written, exp_month, exp_year, cvc }: CardDetails,
  now: Date,
): TestCard {
  const number = written.replaceAll(/[\s-]/g, '')
  if (!/^\d{12,19}$/.test(number)) {
    throw invalidCard('invalid_number', 'number', 'The card number is not a valid credit card number.')
  }
  if (!passesLuhn(number)) throw invalidCard('incorrect_number', 'number', 'Your card number is incorrect.')
  checkExpiry(exp_month, exp_year, now)
  const cvcDigits = detectBrand(number) === 'amex' ? 4 : 3
  if (cvc !== undefined && !new RegExp(`^\\d{${cvcDigits}}$`).test(cvc)) {
    throw invalidCard('invalid_cvc', 'cvc', "Your card's security code is invalid.")
  }
  return byNumber.get(number) ?? { name: 'unknown', number, decline: declines.liveCard }
}

function checkExpiry(month: number, writtenYear: number, now: Date): void {
  if (month < 1 || month > 12) {
    throw invalidCard('invalid_expiry_month', 'exp_month', "Your card's expiration month is invalid.")
  }
  const year = writtenYear < 100 ? 2000 + writtenYear : writtenYear
  const thisYear = now.getUTCFullYear()
  if (year < thisYear || year > thisYear + 50) {
    throw invalidCard('invalid_expiry_year', 'exp_year', "Your card's expiration year is invalid.")
  }
  if (year === thisYear && month < now.getUTCMonth() + 1) {
    throw invalidCard('invalid_expiry_month', 'exp_month', "Your card's expiration month is invalid.")
  }
}

function passesLuhn(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

const BRANDS: [RegExp, string][] = [
  [/^4/, 'visa'],
  [/^(5[1-5]|2[2-7])/, 'mastercard'],
  [/^3[47]/, 'amex'],
  [/^(30|36|38|39)/, 'diners'],
  [/^35/, 'jcb'],
  [/^(6011|64|65)/, 'discover'],
  [/^62/, 'unionpay'],
]

export function detectBrand(number: string): string {
  return BRANDS.find(([pattern]) => pattern.test(number))?.[1] ?? 'unknown'
}
