import type { HoldRules } from './hold.ts'

/*
 * The payment methods that the product can hold and refund, by the card provider's names (ADR 98). Apple Pay and
 * Google Pay are cards. Methods that are missing, such as vouchers, cannot be refunded without asking the buyer.
 */

export const PAYMENT_METHODS = [
  'card',
  'link',
  'ideal',
  'bancontact',
  'fpx',
  'sepa_debit',
  'us_bank_account',
  'klarna',
] as const

export type PaymentMethod = (typeof PAYMENT_METHODS)[number]

/** The methods of a market that has chosen none. */
export const STANDARD_METHODS: readonly PaymentMethod[] = ['card', 'link']

export interface MethodRules {
  /** As people know it. */
  name: string
  /** The currencies it can be paid in. Null for all. */
  currencies: readonly string[] | null
  /** When the money comes: at once, once the buyer has agreed on another page, or days later. */
  arrival: 'at_once' | 'after_redirect' | 'later'
  /** How long a submitted payment may wait for its money and reserve the request. 0 if it comes within minutes. */
  waitDays: number
  /** The least time in escrow: how long after its arrival the money usually still bounces. */
  minHoldDays: number
  /** How long the payer can reclaim the money from their bank. Null if never. */
  reclaimDays: number | null
  /** Whether the bank then returns the money without asking for a reason. */
  reclaimsFreely: boolean
  /** How long a payment can be refunded. Null for always. */
  refundDays: number | null
}

const BY_CARD = {
  currencies: null,
  arrival: 'at_once',
  waitDays: 0,
  minHoldDays: 0,
  reclaimDays: 120,
  reclaimsFreely: false,
  refundDays: null,
} as const

const BY_BANK_PAGE = {
  arrival: 'after_redirect',
  waitDays: 1,
  minHoldDays: 0,
  reclaimDays: null,
  reclaimsFreely: false,
  refundDays: 180,
} as const

/** The limits are those that Stripe publishes for each method. */
export const METHOD_RULES: Record<PaymentMethod, MethodRules> = {
  card: { name: 'Card', ...BY_CARD },
  link: { name: 'Link', ...BY_CARD },
  ideal: { name: 'iDEAL', currencies: ['eur'], ...BY_BANK_PAGE },
  bancontact: { name: 'Bancontact', currencies: ['eur'], ...BY_BANK_PAGE },
  fpx: { name: 'FPX', currencies: ['myr'], ...BY_BANK_PAGE, refundDays: 60 },
  sepa_debit: {
    name: 'SEPA Direct Debit',
    currencies: ['eur'],
    arrival: 'later',
    waitDays: 14,
    minHoldDays: 14,
    reclaimDays: 56,
    reclaimsFreely: true,
    refundDays: 180,
  },
  us_bank_account: {
    name: 'US bank account',
    currencies: ['usd'],
    arrival: 'later',
    waitDays: 10,
    // Five business days.
    minHoldDays: 7,
    reclaimDays: 60,
    reclaimsFreely: true,
    refundDays: 180,
  },
  klarna: {
    ...BY_BANK_PAGE,
    name: 'Klarna',
    currencies: 'aud cad chf czk dkk eur gbp nok nzd pln ron sek usd'.split(' '),
    reclaimDays: 180,
  },
}

const DAY_MS = 86_400_000

/** What a payment waits for: the buyer has to do something, or the bank has to send the money. */
export const WAITS_FOR = ['buyer', 'bank'] as const

export type WaitsFor = (typeof WAITS_FOR)[number]

/** How long buyers have to do what their bank asks, such as verifying their account. */
const BUYER_WAIT_DAYS = 10

/** A method that was never offered has the strictest rules. Null for payments from before methods were recorded. */
function rulesOf(method: string | null): Pick<MethodRules, 'waitDays' | 'minHoldDays'> {
  if (method === null) return METHOD_RULES.card
  return isPaymentMethod(method) ? METHOD_RULES[method] : METHOD_RULES.sepa_debit
}

/** Until when a payment that was submitted now waits for its money. Null if the money comes within minutes. */
export function waitEnd(method: string | null, waitsFor: WaitsFor, now: Date): Date | null {
  const days = waitsFor === 'buyer' ? BUYER_WAIT_DAYS : rulesOf(method).waitDays
  return days === 0 ? null : new Date(now.getTime() + days * DAY_MS)
}

/** The earliest time at which money that arrived now may leave. Null if it cannot bounce. */
export function earliestRelease(method: string | null, now: Date): Date | null {
  const { minHoldDays } = rulesOf(method)
  return minHoldDays === 0 ? null : new Date(now.getTime() + minHoldDays * DAY_MS)
}

/** The hold of the market, extended until the method's money no longer bounces. */
export function holdFor(
  method: string | null,
  { holdDays, holdDaysHighValue, highValue }: HoldRules,
): HoldRules {
  const { minHoldDays } = rulesOf(method)
  return {
    holdDays: Math.max(holdDays, minHoldDays),
    holdDaysHighValue: Math.max(holdDaysHighValue, minHoldDays),
    highValue,
  }
}

export const isPaymentMethod = (name: string): name is PaymentMethod =>
  (PAYMENT_METHODS as readonly string[]).includes(name)

/** The chosen methods that a payment in this currency can be made with. */
export function methodsIn(currency: string, chosen: readonly string[]): PaymentMethod[] {
  return chosen.filter(isPaymentMethod).filter((method) => {
    const { currencies } = METHOD_RULES[method]
    return currencies === null || currencies.includes(currency)
  })
}
