/*
 * Stripe's published test values for methods other than cards, and what each one does. Any other bank account could
 * be a real one, so it is refused and never stored.
 */

/** What becomes of a payment, decided when its payment method is created. */
export interface Outcome {
  /** Seconds until the money arrives, or the payment fails. Null if nothing ever happens. */
  afterSeconds: number | null
  /** The failure code of a payment that fails. */
  failure?: string
  /** The payment succeeds and is disputed at once. */
  disputed?: true
  /** A voucher that expires without being paid. */
  expires?: 'at once' | 'with delay' | 'at its deadline'
  /** The bank account has to be verified with microdeposits. */
  unverified?: true
}

/** "Within several seconds" and "after about three minutes", in Stripe's words. */
const SOON = 5
const DELAYED = 180

export const SUCCESS: Outcome = { afterSeconds: SOON }

interface TestAccount {
  number: string
  token: string
  outcome: Outcome
}

const SEPA_OUTCOMES: [name: string, Outcome][] = [
  ['success', SUCCESS],
  ['successDelayed', { afterSeconds: DELAYED }],
  ['failed', { afterSeconds: SOON, failure: 'generic_could_not_process' }],
  ['failedDelayed', { afterSeconds: DELAYED, failure: 'generic_could_not_process' }],
  ['disputed', { afterSeconds: SOON, disputed: true }],
  ['exceedsWeeklyVolumeLimit', { afterSeconds: SOON, failure: 'charge_exceeds_source_limit' }],
  ['exceedsWeeklyTransactionLimit', { afterSeconds: SOON, failure: 'charge_exceeds_weekly_limit' }],
  ['insufficientFunds', { afterSeconds: SOON, failure: 'insufficient_funds' }],
]

/** The numbers of each country are in the order of the outcomes. */
const IBANS = {
  at: [
    'AT611904300234573201',
    'AT321904300235473204',
    'AT861904300235473202',
    'AT051904300235473205',
    'AT591904300235473203',
    'AT981904300000343434',
    'AT601904300000121212',
    'AT981904300002222227',
  ],
  be: [
    'BE62510007547061',
    'BE78510007547064',
    'BE68539007547034',
    'BE51510007547065',
    'BE08510007547063',
    'BE90510000343434',
    'BE52510000121212',
    'BE90510002222227',
  ],
  de: [
    'DE89370400440532013000',
    'DE08370400440532013003',
    'DE62370400440532013001',
    'DE78370400440532013004',
    'DE35370400440532013002',
    'DE65370400440000343434',
    'DE27370400440000121212',
    'DE65370400440002222227',
  ],
  fr: [
    'FR1420041010050500013M02606',
    'FR3020041010050500013M02609',
    'FR8420041010050500013M02607',
    'FR7920041010050500013M02600',
    'FR5720041010050500013M02608',
    'FR9720041010050000000343434',
    'FR5920041010050000000121212',
    'FR9720041010050000002222227',
  ],
}

export const TEST_IBANS: TestAccount[] = Object.entries(IBANS).flatMap(([country, numbers]) =>
  SEPA_OUTCOMES.map(([name, outcome], at) => ({
    number: numbers[at] ?? '',
    token: `pm_${name}_${country}`,
    outcome,
  })),
)

const usFailure = (failure: string): Outcome => ({ afterSeconds: SOON, failure })

export const US_TEST_ROUTING = '110000000'

export const US_TEST_ACCOUNTS: TestAccount[] = [
  { number: '000123456789', token: 'pm_usBankAccount_success', outcome: SUCCESS },
  { number: '000111111113', token: 'pm_usBankAccount_accountClosed', outcome: usFailure('account_closed') },
  { number: '000111111116', token: 'pm_usBankAccount_noAccount', outcome: usFailure('no_account') },
  {
    number: '000222222227',
    token: 'pm_usBankAccount_insufficientFunds',
    outcome: usFailure('insufficient_funds'),
  },
  {
    number: '000333333335',
    token: 'pm_usBankAccount_debitNotAuthorized',
    outcome: usFailure('debit_not_authorized'),
  },
  {
    number: '000444444440',
    token: 'pm_usBankAccount_invalidCurrency',
    outcome: usFailure('invalid_currency'),
  },
  {
    number: '000555555559',
    token: 'pm_usBankAccount_dispute',
    outcome: { afterSeconds: SOON, disputed: true },
  },
  { number: '000000000009', token: 'pm_usBankAccount_processing', outcome: { afterSeconds: null } },
  {
    number: '000777777771',
    token: 'pm_usBankAccount_weeklyLimitExceeded',
    outcome: usFailure('charge_exceeds_weekly_limit'),
  },
]

/** Finds the account of a token such as `pm_usBankAccount_success` or `pm_success_at`. */
export const findAccountByToken = (token: string): TestAccount | undefined =>
  [...TEST_IBANS, ...US_TEST_ACCOUNTS].find((account) => account.token === token)

export const findIban = (iban: string): TestAccount | undefined =>
  TEST_IBANS.find(({ number }) => number === iban.replaceAll(/\s/g, '').toUpperCase())

export const findUsAccount = (number: string): TestAccount | undefined =>
  US_TEST_ACCOUNTS.find((account) => account.number === number)

/** The ends of email addresses that decide about a voucher. It is paid after three minutes with any other. */
export const VOUCHER_EMAILS: [ending: string, Outcome][] = [
  ['succeed_immediately', SUCCESS],
  ['expire_immediately', { afterSeconds: SOON, expires: 'at once' }],
  ['expire_with_delay', { afterSeconds: DELAYED, expires: 'with delay' }],
  ['fill_never', { afterSeconds: null, expires: 'at its deadline' }],
]

export function voucherOutcome(email: string): Outcome {
  const [name = ''] = email.split('@')
  return VOUCHER_EMAILS.find(([ending]) => name.endsWith(ending))?.[1] ?? { afterSeconds: DELAYED }
}

/** The amounts or the code of microdeposits, and what they do. */
export const MICRODEPOSITS = [
  { amounts: [32, 45], code: 'SM11AA', result: 'verified' },
  { amounts: [10, 11], code: 'SM33CC', result: 'attempts exceeded' },
  { amounts: [40, 41], code: 'SM44DD', result: 'timeout' },
] as const

/** The messages of failure codes. */
export const DEBIT_FAILURES: Record<string, string> = {
  account_closed: "The customer's bank account has been closed.",
  charge_exceeds_source_limit:
    'This charge would cause you to exceed your rolling-window processing limit for this source type.',
  charge_exceeds_weekly_limit:
    'This charge would cause the account to exceed its weekly transaction volume limit.',
  debit_not_authorized: 'The customer has notified their bank that this payment was unauthorized.',
  generic_could_not_process: 'This payment could not be processed.',
  insufficient_funds: "The customer's account has insufficient funds to cover this payment.",
  invalid_currency: 'The bank was unable to process this payment because of its currency.',
  no_account: "The customer's bank account could not be located.",
}
