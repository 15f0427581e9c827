import * as z from 'zod/mini'
import { callsOf } from './call.ts'
import { BROWSER_ERROR_MAX_LENGTHS, MARKET_MODES, POLICIES, SELLER_COUNTRIES } from './constants.ts'
import { Currency } from './currency-code.ts'
import { MarketFees } from './fee-rates.ts'
import { Done, Id } from './fields.ts'

const call = callsOf({ subjects: ['market', 'policies'] })

/** What applies to deals in a currency. */
const InCurrency = z.object({
  /** The fees for an offer that is accepted now. */
  fees: MarketFees,
  maxOfferCents: z.nullable(z.int()),
  /** Payments from this amount on are held for `holdDaysHighValue`. */
  highValueCents: z.int(),
})

/** The public settings of the market. Amounts are those of its first currency. */
export const Market = z.object({
  name: z.string(),
  categories: z.array(z.string()),
  mode: z.enum(MARKET_MODES),
  ...InCurrency.shape,
  byCurrency: z.record(z.string(), InCurrency),
  holdDays: z.int(),
  holdDaysHighValue: z.int(),
  offerExpiryDays: z.int(),
  /** How long payouts wait if the buyer's account or card is new. */
  payoutDelayHours: z.int(),
  /** How long the first payouts of a seller wait. */
  newSellerPayoutDelayDays: z.int(),
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
    /** The first one, which a request has by default. */
    currency: Currency,
    /** What the market can be used in, with the smallest and the largest amount that can be charged. */
    currencies: z.array(
      z.object({ code: Currency, decimals: z.int(), minCharge: z.int(), maxCharge: z.int() }),
    ),
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

/** How the error surfaced: a script threw it, a promise was rejected with it, or a screen failed to render. */
export const BROWSER_ERROR_KINDS = ['error', 'rejection', 'screen'] as const

const shortText = (part: keyof typeof BROWSER_ERROR_MAX_LENGTHS) =>
  z.string().check(z.maxLength(BROWSER_ERROR_MAX_LENGTHS[part]))

export const reportBrowserError = call({
  method: 'POST',
  path: '/api/browser-errors',
  access: 'public',
  changes: [],
  allowedInEveryMode: true,
  summary: 'Reports an error of the web app, for the log and the metrics of the operator',
  body: z.object({
    kind: z.enum(BROWSER_ERROR_KINDS),
    message: shortText('message'),
    stack: z._default(shortText('stack'), ''),
    /** The path of the page, without its query. */
    path: z._default(shortText('path'), ''),
  }),
  reply: Done,
})

export const listenToEvents = call({
  method: 'GET',
  path: '/api/events',
  access: 'user',
  summary: 'Streams changes for the signed-in user as server-sent events',
  reply: 'events',
})
