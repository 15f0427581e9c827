import { SELLER_COUNTRIES } from '@sought/contract/constants'
import { expect, test } from 'vitest'
import { payoutRoute } from './payout-countries.ts'

test.each([
  ['US', { domestic: ['US'], 'cross-border': ['CA', 'GB', 'DE', 'FR'], none: ['MY', 'AU'] }],
  ['MY', { domestic: ['MY'], 'cross-border': [], none: ['US', 'CA', 'GB', 'AU', 'DE', 'FR'] }],
  ['DE', { domestic: ['DE', 'FR'], 'cross-border': ['US', 'CA', 'GB'], none: ['MY', 'AU'] }],
  ['IE', { domestic: ['DE', 'FR'], 'cross-border': ['US', 'CA', 'GB'], none: ['MY', 'AU'] }],
  ['AU', { domestic: ['AU'], 'cross-border': [], none: ['MY', 'US', 'CA', 'GB', 'DE', 'FR'] }],
  ['CH', { domestic: [], 'cross-border': ['US', 'CA', 'GB', 'DE', 'FR'], none: ['MY', 'AU'] }],
])('from %s, each seller country is paid in the way that Stripe offers', (platform, expected) => {
  const reached = Object.groupBy(SELLER_COUNTRIES, (country) => payoutRoute(platform, country))
  expect({ domestic: [], 'cross-border': [], none: [], ...reached }).toEqual(expected)
})
