/*
 * The currencies in which the card provider charges, with its rules for them (ADR 100). Decimals come from here and
 * never from Intl, which disagrees with the provider.
 */

/**
 * The smallest charge of each currency, in its smallest unit, and the symbol that an English reader understands. The
 * ISO code stands for it where there is none. The provider publishes the smallest charges of the currencies in which
 * it settles; those of the others are rounded equivalents of 0.50 USD.
 */
const TABLE = {
  aed: [200],
  afn: [3_500],
  all: [4_200],
  amd: [20_000, '֏'],
  ang: [90],
  aoa: [46_000],
  ars: [75_000],
  aud: [50, 'A$'],
  awg: [90],
  azn: [85, '₼'],
  bam: [85],
  bbd: [100],
  bdt: [6_500, '৳'],
  bgn: [100],
  bhd: [190],
  bif: [1_500],
  bmd: [50],
  bnd: [65],
  bob: [350],
  brl: [50, 'R$'],
  bsd: [50],
  bwp: [700],
  byn: [150],
  bzd: [100],
  cad: [50, 'CA$'],
  cdf: [120_000],
  chf: [50],
  clp: [500],
  cny: [360, 'CN¥'],
  cop: [200_000],
  crc: [26_000, '₡'],
  cve: [5_000],
  czk: [1_500, 'Kč', 'after'],
  djf: [90],
  dkk: [250],
  dop: [3_200],
  dzd: [6_500],
  egp: [2_400],
  etb: [8_000],
  eur: [50, '€'],
  fjd: [115],
  fkp: [38],
  gbp: [30, '£'],
  gel: [140, '₾'],
  gip: [38],
  gmd: [3_600],
  gnf: [4_400],
  gtq: [390],
  gyd: [10_500],
  hkd: [400, 'HK$'],
  hnl: [1_350],
  htg: [6_600],
  huf: [17_500, 'Ft', 'after'],
  idr: [840_000, 'Rp'],
  ils: [165, '₪'],
  inr: [50, '₹'],
  isk: [65],
  jmd: [8_000],
  jod: [360],
  jpy: [50, '¥'],
  kes: [6_500, 'KSh'],
  kgs: [4_400],
  khr: [205_000, '៛'],
  kmf: [210],
  krw: [750, '₩'],
  kwd: [160],
  kyd: [42],
  kzt: [26_500, '₸'],
  lak: [1_100_000, '₭'],
  lbp: [4_500_000],
  lkr: [15_500],
  lrd: [9_200],
  lsl: [870],
  mad: [470],
  mdl: [860],
  mga: [2_300],
  mkd: [2_700],
  mmk: [105_000],
  mnt: [180_000, '₮'],
  mop: [410],
  mur: [2_300],
  mvr: [775],
  mwk: [87_000],
  mxn: [1_000, 'MX$'],
  myr: [200, 'RM'],
  mzn: [3_200],
  nad: [870],
  ngn: [75_000, '₦'],
  nio: [1_850],
  nok: [300],
  npr: [7_100],
  nzd: [50, 'NZ$'],
  omr: [200],
  pab: [50],
  pen: [170],
  pgk: [215],
  php: [3_000, '₱'],
  pkr: [14_500],
  pln: [200, 'zł', 'after'],
  pyg: [3_600, '₲'],
  qar: [185],
  ron: [200],
  rsd: [5_100],
  rub: [4_000, '₽'],
  rwf: [750],
  sar: [190],
  sbd: [415],
  scr: [700],
  sek: [300],
  sgd: [50, 'S$'],
  shp: [38],
  sle: [1_200],
  sos: [29_000],
  srd: [2_000],
  std: [1_050_000],
  szl: [870],
  thb: [1_000, '฿'],
  tjs: [470],
  tnd: [1_480],
  top: [120],
  try: [2_200, '₺'],
  ttd: [340],
  twd: [1_600, 'NT$'],
  tzs: [125_000],
  uah: [2_100, '₴'],
  ugx: [1_900],
  usd: [50, '$'],
  uyu: [2_000],
  uzs: [600_000],
  vnd: [13_500, '₫'],
  vuv: [62],
  wst: [140],
  xaf: [290],
  xcd: [135],
  xcg: [90],
  xof: [290],
  xpf: [52],
  yer: [12_000],
  zar: [870, 'R'],
  zmw: [1_150],
} as const satisfies Record<string, readonly [minCharge: number, symbol?: string, position?: 'after']>

/** An ISO 4217 code in lower case. */
export type Currency = keyof typeof TABLE

export interface CurrencyRules {
  code: Currency
  /** How many decimals people write. Our smallest unit is the last of them. */
  decimals: number
  symbol: string
  symbolAfter: boolean
  /** How many of the provider's units are one of our smallest units. */
  providerFactor: number
  /** Every amount that is charged or refunded is a multiple of this. */
  step: number
  /** Every payout is a multiple of this. */
  payoutStep: number
  minCharge: number
  maxCharge: number
}

/** The provider takes eight digits. */
const MAX_CHARGE = 99_999_999

/** The provider takes more digits of currencies with small units, some of them by card only. */
const withDigits = (digits: number) => ({ maxCharge: 10 ** digits - 1 })

const ZERO_DECIMALS = { decimals: 0 }

/** Card networks take only amounts with 0 as the last digit. */
const THREE_DECIMALS = { decimals: 3, step: 10, payoutStep: 10, maxCharge: 99_999_990 }

/** Nobody uses the decimals any more, but the provider still counts them. */
const TWO_DECIMALS_AT_PROVIDER = { decimals: 0, providerFactor: 100, maxCharge: 999_999 }

/** Banks are paid whole units, while cards are charged with decimals. */
const WHOLE_PAYOUTS = { payoutStep: 100 }

const SPECIAL: Partial<Record<Currency, Partial<CurrencyRules>>> = {
  bif: ZERO_DECIMALS,
  clp: ZERO_DECIMALS,
  djf: ZERO_DECIMALS,
  gnf: ZERO_DECIMALS,
  jpy: ZERO_DECIMALS,
  kmf: ZERO_DECIMALS,
  krw: ZERO_DECIMALS,
  mga: ZERO_DECIMALS,
  pyg: ZERO_DECIMALS,
  rwf: ZERO_DECIMALS,
  vnd: ZERO_DECIMALS,
  vuv: ZERO_DECIMALS,
  xaf: ZERO_DECIMALS,
  xof: ZERO_DECIMALS,
  xpf: ZERO_DECIMALS,
  bhd: THREE_DECIMALS,
  jod: THREE_DECIMALS,
  kwd: THREE_DECIMALS,
  omr: THREE_DECIMALS,
  tnd: THREE_DECIMALS,
  isk: TWO_DECIMALS_AT_PROVIDER,
  ugx: TWO_DECIMALS_AT_PROVIDER,
  huf: { ...WHOLE_PAYOUTS, ...withDigits(10) },
  twd: WHOLE_PAYOUTS,
  cop: withDigits(10),
  idr: withDigits(12),
  inr: withDigits(9),
  lbp: withDigits(11),
}

export const CODES = Object.keys(TABLE) as Currency[]

export const CURRENCIES: readonly CurrencyRules[] = CODES.map((code) => {
  const [minCharge, symbol, position]: readonly [number, string?, 'after'?] = TABLE[code]
  return {
    code,
    decimals: 2,
    // A code stands after the amount.
    symbol: symbol ?? code.toUpperCase(),
    symbolAfter: position === 'after' || symbol === undefined,
    providerFactor: 1,
    step: 1,
    payoutStep: 1,
    minCharge,
    maxCharge: MAX_CHARGE,
    ...SPECIAL[code],
  }
})

const rules = new Map(CURRENCIES.map((entry) => [entry.code, entry]))

export const isCurrency = (code: string): code is Currency => Object.hasOwn(TABLE, code)

export function rulesOf(code: Currency): CurrencyRules {
  const found = rules.get(code)
  if (!found) throw new RangeError(`${code} is not a currency of the table`)
  return found
}

/** An amount in our smallest unit, as the provider's API takes it. */
export const toProviderAmount = (amount: number, currency: Currency): number =>
  amount * rulesOf(currency).providerFactor

export function fromProviderAmount(amount: number, currency: Currency): number {
  const { providerFactor } = rulesOf(currency)
  if (!Number.isSafeInteger(amount) || amount % providerFactor !== 0) {
    throw new RangeError(`${amount} of the provider is no whole amount in ${currency}`)
  }
  return amount / providerFactor
}
