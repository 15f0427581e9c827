import type { Currency } from './currencies.ts'

/*
 * Stripe's transfer regions (ADR 38). The European Economic Area is one region; every other country is its own.
 */

const EEA = [
  'AT',
  'BE',
  'BG',
  'CY',
  'CZ',
  'DE',
  'DK',
  'EE',
  'ES',
  'FI',
  'FR',
  'GR',
  'HR',
  'HU',
  'IE',
  'IS',
  'IT',
  'LI',
  'LT',
  'LU',
  'LV',
  'MT',
  'NL',
  'NO',
  'PL',
  'PT',
  'RO',
  'SE',
  'SI',
  'SK',
]

export const regionOf = (country: string): string => (EEA.includes(country) ? 'EEA' : country)

/** Regions between which money can be transferred, to accounts under the recipient agreement. */
const CROSS_BORDER_REGIONS = new Set(['US', 'CA', 'GB', 'EEA', 'CH'])

export function allowsCrossBorder(platform: string, account: string): boolean {
  const [from, to] = [regionOf(platform), regionOf(account)]
  return from !== to && CROSS_BORDER_REGIONS.has(from) && CROSS_BORDER_REGIONS.has(to)
}

/** Currencies of countries outside the euro and the dollar. */
const CURRENCIES: Record<string, Currency> = {
  AE: 'aed',
  AU: 'aud',
  BH: 'bhd',
  BR: 'brl',
  CA: 'cad',
  CH: 'chf',
  CL: 'clp',
  CN: 'cny',
  CO: 'cop',
  CZ: 'czk',
  DK: 'dkk',
  GB: 'gbp',
  HK: 'hkd',
  HU: 'huf',
  ID: 'idr',
  IL: 'ils',
  IN: 'inr',
  IS: 'isk',
  JO: 'jod',
  JP: 'jpy',
  KE: 'kes',
  KR: 'krw',
  KW: 'kwd',
  LI: 'chf',
  MX: 'mxn',
  MY: 'myr',
  NG: 'ngn',
  NO: 'nok',
  NZ: 'nzd',
  OM: 'omr',
  PE: 'pen',
  PH: 'php',
  PK: 'pkr',
  PL: 'pln',
  PY: 'pyg',
  QA: 'qar',
  RO: 'ron',
  RS: 'rsd',
  SA: 'sar',
  SE: 'sek',
  SG: 'sgd',
  TH: 'thb',
  TN: 'tnd',
  TR: 'try',
  TW: 'twd',
  UG: 'ugx',
  VN: 'vnd',
  ZA: 'zar',
}

/** The default currency of an account. */
export const currencyOf = (country: string): Currency =>
  CURRENCIES[country] ?? (EEA.includes(country) ? 'eur' : 'usd')
