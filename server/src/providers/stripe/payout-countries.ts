/*
 * The countries to which Stripe transfers money from an account in the platform's country (ADR 39). The European
 * Economic Area is one region. Every other country is its own region.
 */

const EEA = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(' '),
)

/** Between these regions, money can be transferred to accounts under the recipient service agreement. */
const CROSS_BORDER_REGIONS = new Set(['US', 'CA', 'GB', 'EEA', 'CH'])

const regionOf = (country: string): string => (EEA.has(country) ? 'EEA' : country)

/** `none`: Stripe cannot pay sellers there, so they are paid manually. */
export function payoutRoute(platform: string, country: string): 'domestic' | 'cross-border' | 'none' {
  const [from, to] = [regionOf(platform), regionOf(country)]
  if (from === to) return 'domestic'
  return CROSS_BORDER_REGIONS.has(from) && CROSS_BORDER_REGIONS.has(to) ? 'cross-border' : 'none'
}
