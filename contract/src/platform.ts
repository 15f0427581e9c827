import * as z from 'zod/mini'
import { call } from './call.ts'
import { MARKET_MODES, POLICIES, SELLER_COUNTRIES } from './constants.ts'
import { FeeRates } from './fee-rates.ts'
import { Id } from './fields.ts'

/** The currency of the deployment. All calculations assume 100 cents to the unit. */
export const Currency = z.enum(['usd', 'myr'])
export type Currency = z.output<typeof Currency>

/** The public settings of the market. */
export const Market = z.object({
  name: z.string(),
  categories: z.array(z.string()),
  mode: z.enum(MARKET_MODES),
  /** The fees for an offer that is accepted now. */
  fees: FeeRates,
  holdDays: z.int(),
  holdDaysHighValue: z.int(),
  offerExpiryDays: z.int(),
  maxOfferCents: z.nullable(z.int()),
  logoUrl: z.nullable(z.string()),
  /** Policies in force that have the operator's own text. The texts of the others are part of the app. */
  policies: z.array(z.object({ policy: z.enum(POLICIES), version: Id })),
})
export type Market = z.output<typeof Market>

export const getConfig = call({
  method: 'GET',
  path: '/api/config',
  access: 'public',
  allowedInEveryMode: true,
  summary: 'Gets the settings of this deployment and of the market',
  reply: z.object({
    market: Market,
    currency: Currency,
    provider: z.enum(['stripe', 'sandbox']),
    publishableKey: z.nullable(z.string()),
    sandboxUrl: z.optional(z.string()),
    googleSignIn: z.boolean(),
    /**
     * Set if card payments are possible: the country of the platform, and the seller countries to which it cannot
     * pay automatically.
     */
    platformCountry: z.optional(z.string()),
    manualPayoutCountries: z.optional(z.array(z.enum(SELLER_COUNTRIES))),
    /** Outside production only: developer pages and demo accounts. */
    development: z.optional(z.literal(true)),
    demoSignIns: z.optional(z.array(z.object({ role: z.string(), email: z.string(), password: z.string() }))),
  }),
})

export const listenToEvents = call({
  method: 'GET',
  path: '/api/events',
  access: 'user',
  summary: 'Streams changes for the signed-in user as server-sent events',
  reply: 'events',
})
