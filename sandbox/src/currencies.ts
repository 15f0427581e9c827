/*
 * Stripe's own statement of its currencies (ADR 102): https://docs.stripe.com/currencies. It does not use the table of
 * the product, so that a mistake there is refused here.
 */

/** How much of each currency one dollar is worth, until a test moves the rate. Stripe charges in all of them. */
export const PER_DOLLAR = {
  aed: 3.67,
  afn: 69,
  all: 83,
  amd: 385,
  ang: 1.79,
  aoa: 912,
  ars: 1_450,
  aud: 1.5,
  awg: 1.79,
  azn: 1.7,
  bam: 1.66,
  bbd: 2,
  bdt: 122,
  bgn: 1.66,
  bhd: 0.376,
  bif: 2_950,
  bmd: 1,
  bnd: 1.3,
  bob: 6.9,
  brl: 5.4,
  bsd: 1,
  bwp: 13.5,
  byn: 2.95,
  bzd: 2,
  cad: 1.4,
  cdf: 2_200,
  chf: 0.8,
  clp: 940,
  cny: 7.1,
  cop: 3_850,
  crc: 502,
  cve: 94,
  czk: 21,
  djf: 178,
  dkk: 6.4,
  dop: 63,
  dzd: 130,
  egp: 47.5,
  etb: 154,
  eur: 0.85,
  fjd: 2.27,
  fkp: 0.75,
  gbp: 0.75,
  gel: 2.7,
  gip: 0.75,
  gmd: 72,
  gnf: 8_700,
  gtq: 7.65,
  gyd: 209,
  hkd: 7.8,
  hnl: 26.3,
  htg: 131,
  huf: 330,
  idr: 16_600,
  ils: 3.25,
  inr: 88,
  isk: 125,
  jmd: 160,
  jod: 0.709,
  jpy: 150,
  kes: 129,
  kgs: 87.4,
  khr: 4_010,
  kmf: 420,
  krw: 1_440,
  kwd: 0.306,
  kyd: 0.83,
  kzt: 525,
  lak: 21_700,
  lbp: 89_500,
  lkr: 305,
  lrd: 183,
  lsl: 17.2,
  mad: 9.3,
  mdl: 17,
  mga: 4_500,
  mkd: 53,
  mmk: 2_100,
  mnt: 3_570,
  mop: 8.03,
  mur: 45.5,
  mvr: 15.4,
  mwk: 1_734,
  mxn: 18.5,
  myr: 4.2,
  mzn: 63.5,
  nad: 17.2,
  ngn: 1_450,
  nio: 36.8,
  nok: 10,
  npr: 141,
  nzd: 1.75,
  omr: 0.385,
  pab: 1,
  pen: 3.37,
  pgk: 4.25,
  php: 58.5,
  pkr: 281,
  pln: 3.6,
  pyg: 7_050,
  qar: 3.64,
  ron: 4.3,
  rsd: 101,
  rub: 79,
  rwf: 1_453,
  sar: 3.75,
  sbd: 8.2,
  scr: 13.9,
  sek: 9.4,
  sgd: 1.3,
  shp: 0.75,
  sle: 23.3,
  sos: 571,
  srd: 39,
  std: 20_900,
  szl: 17.2,
  thb: 32.5,
  tjs: 9.25,
  tnd: 2.93,
  top: 2.38,
  try: 42,
  ttd: 6.78,
  twd: 31,
  tzs: 2_450,
  uah: 41.8,
  ugx: 3_650,
  usd: 1,
  uyu: 39.7,
  uzs: 11_950,
  vnd: 26_300,
  vuv: 122,
  wst: 2.78,
  xaf: 558,
  xcd: 2.7,
  xcg: 1.79,
  xof: 558,
  xpf: 101.5,
  yer: 239,
  zar: 17.2,
  zmw: 22.6,
} as const satisfies Record<string, number>

export type Currency = keyof typeof PER_DOLLAR

export const CURRENCIES = Object.keys(PER_DOLLAR) as Currency[]

export const isCurrency = (code: string): code is Currency => Object.hasOwn(PER_DOLLAR, code)

const listed = (codes: string) => new Set(codes.split(' '))

const ZERO_DECIMALS = listed('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf')
const THREE_DECIMALS = listed('bhd jod kwd omr tnd')
/** Passed with two decimals, which must be 00. */
const WHOLE = listed('isk ugx')
/** Charged with two decimals, but paid out without. */
const WHOLE_PAYOUTS = listed('huf twd')

/** How many decimals the amounts of the API have. */
export function decimalsOf(currency: string): number {
  if (ZERO_DECIMALS.has(currency)) return 0
  return THREE_DECIMALS.has(currency) ? 3 : 2
}

/** How many decimals people see. */
export const shownDecimalsOf = (currency: string): number => (WHOLE.has(currency) ? 0 : decimalsOf(currency))

/** Every amount is a multiple of it. */
export function stepOf(currency: string): number {
  if (WHOLE.has(currency)) return 100
  return THREE_DECIMALS.has(currency) ? 10 : 1
}

/** Every payout to a bank is a multiple of it. */
export const payoutStepOf = (currency: string): number =>
  WHOLE_PAYOUTS.has(currency) ? 100 : stepOf(currency)

/** The smallest charges of the currencies in which Stripe settles. */
export const SMALLEST_CHARGES: Readonly<Record<string, number>> = {
  aed: 200,
  aud: 50,
  bgn: 100,
  brl: 50,
  cad: 50,
  chf: 50,
  czk: 1_500,
  dkk: 250,
  eur: 50,
  gbp: 30,
  hkd: 400,
  huf: 17_500,
  inr: 50,
  jpy: 50,
  mxn: 1_000,
  myr: 200,
  nok: 300,
  nzd: 50,
  pln: 200,
  ron: 200,
  sek: 300,
  sgd: 50,
  thb: 1_000,
  usd: 50,
}

/** How many digits a charge may have. */
const DIGITS: Readonly<Record<string, number>> = { cop: 10, huf: 10, idr: 12, inr: 9, jpy: 10, lbp: 11 }
const USUAL_DIGITS = 8

export const largestChargeIn = (currency: string): number => 10 ** (DIGITS[currency] ?? USUAL_DIGITS) - 1
