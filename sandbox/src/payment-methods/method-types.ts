/** How a payment with a method proceeds after it is confirmed. */
export type Flow =
  /** The bank answers at once, or asks for authentication first. */
  | 'card'
  /** Succeeds at once. */
  | 'instant'
  /** The customer authorizes the payment on another page. */
  | 'redirect'
  /** The money is collected from a bank account, which takes days and can fail. */
  | 'debit'
  /** The customer pays a voucher, or lets it expire. */
  | 'voucher'
  /** The customer sends money to their cash balance. */
  | 'bank_transfer'

interface MethodRule {
  flow: Flow
  /** Empty for methods that take every currency. */
  currencies: string[]
  /** The capability of an account that may take it. */
  capability: string
  /** Billing details that are required. */
  needs?: ('email' | 'name')[]
  /**
   * `at once`: the refund succeeds immediately. `later`: the bank takes a while. `by email`: the customer has to tell
   * Stripe a bank account first. `never`: there are no refunds.
   */
  refunds: 'at once' | 'later' | 'by email' | 'never'
  /** How long after the payment it can be refunded. Cards have no limit. */
  refundDays?: number
  /** `answered`: with evidence, like cards. `final`: a bank takes the money back for good. */
  disputes: 'answered' | 'final' | 'never'
  /** The days until a voucher expires, unless the payment says otherwise. */
  expiresAfterDays?: number
}

const KLARNA_CURRENCIES = [
  'aud',
  'cad',
  'chf',
  'czk',
  'dkk',
  'eur',
  'gbp',
  'nok',
  'nzd',
  'pln',
  'ron',
  'sek',
  'usd',
]

/** Stripe's rules for each method (ADR 38). */
export const METHODS = {
  card: {
    flow: 'card',
    currencies: [],
    capability: 'card_payments',
    refunds: 'at once',
    disputes: 'answered',
  },
  link: {
    flow: 'instant',
    currencies: [],
    capability: 'link_payments',
    refunds: 'at once',
    disputes: 'answered',
  },
  ideal: {
    flow: 'redirect',
    currencies: ['eur'],
    capability: 'ideal_payments',
    refunds: 'later',
    disputes: 'never',
    refundDays: 180,
  },
  bancontact: {
    flow: 'redirect',
    currencies: ['eur'],
    capability: 'bancontact_payments',
    needs: ['name'],
    refunds: 'later',
    disputes: 'never',
    refundDays: 180,
  },
  fpx: {
    flow: 'redirect',
    currencies: ['myr'],
    capability: 'fpx_payments',
    refunds: 'later',
    disputes: 'never',
    refundDays: 60,
  },
  klarna: {
    flow: 'redirect',
    currencies: KLARNA_CURRENCIES,
    capability: 'klarna_payments',
    needs: ['email'],
    refunds: 'at once',
    disputes: 'answered',
    refundDays: 180,
  },
  sepa_debit: {
    flow: 'debit',
    currencies: ['eur'],
    capability: 'sepa_debit_payments',
    needs: ['email', 'name'],
    refunds: 'later',
    disputes: 'final',
    refundDays: 180,
  },
  us_bank_account: {
    flow: 'debit',
    currencies: ['usd'],
    capability: 'us_bank_account_ach_payments',
    needs: ['name'],
    refunds: 'later',
    disputes: 'final',
    refundDays: 180,
  },
  boleto: {
    flow: 'voucher',
    currencies: ['brl'],
    capability: 'boleto_payments',
    needs: ['email', 'name'],
    refunds: 'never',
    disputes: 'never',
    expiresAfterDays: 3,
  },
  konbini: {
    flow: 'voucher',
    currencies: ['jpy'],
    capability: 'konbini_payments',
    needs: ['email', 'name'],
    refunds: 'by email',
    disputes: 'never',
    expiresAfterDays: 3,
  },
  multibanco: {
    flow: 'voucher',
    currencies: ['eur'],
    capability: 'multibanco_payments',
    needs: ['email'],
    refunds: 'by email',
    disputes: 'never',
    expiresAfterDays: 7,
  },
  oxxo: {
    flow: 'voucher',
    currencies: ['mxn'],
    capability: 'oxxo_payments',
    needs: ['email', 'name'],
    refunds: 'never',
    disputes: 'never',
    expiresAfterDays: 3,
  },
  customer_balance: {
    flow: 'bank_transfer',
    currencies: ['eur', 'gbp', 'jpy', 'mxn', 'usd'],
    capability: 'bank_transfer_payments',
    refunds: 'later',
    disputes: 'never',
  },
} as const satisfies Record<string, MethodRule>

export type MethodType = keyof typeof METHODS

export const METHOD_TYPES = Object.keys(METHODS) as MethodType[]

export const isMethodType = (type: string): type is MethodType => Object.hasOwn(METHODS, type)

/** The rule of a method. Methods that the sandbox does not know are treated as cards. */
export const ruleOf = (type: string): MethodRule => METHODS[isMethodType(type) ? type : 'card']

export function fitsCurrency(type: MethodType, currency: string): boolean {
  const { currencies } = ruleOf(type)
  return currencies.length === 0 || currencies.includes(currency)
}
