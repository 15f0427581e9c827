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

/** Currencies of countries outside the euro. */
const CURRENCIES: Record<string, string> = {
  AU: 'aud',
  BR: 'brl',
  CA: 'cad',
  CH: 'chf',
  CZ: 'czk',
  DK: 'dkk',
  GB: 'gbp',
  HK: 'hkd',
  HU: 'huf',
  IN: 'inr',
  IS: 'isk',
  JP: 'jpy',
  LI: 'chf',
  MX: 'mxn',
  MY: 'myr',
  NO: 'nok',
  NZ: 'nzd',
  PL: 'pln',
  RO: 'ron',
  SE: 'sek',
  SG: 'sgd',
  TH: 'thb',
}

/** The default currency of an account. */
export const currencyOf = (country: string): string =>
  CURRENCIES[country] ?? (EEA.includes(country) ? 'eur' : 'usd')
