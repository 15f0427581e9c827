import type Stripe from 'stripe'

/** The version of Stripe's API that the sandbox implements: that of the SDK in its tests. */
export const API_VERSION = '2026-10-28.endive' satisfies Stripe.LatestApiVersion
