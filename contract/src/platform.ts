import * as z from 'zod/mini'
import { call } from './call.ts'
import { SELLER_COUNTRIES } from './constants.ts'

/** The currency of the deployment. All calculations assume 100 cents to the unit. */
export const Currency = z.enum(['usd', 'myr'])
export type Currency = z.output<typeof Currency>

export const getConfig = call({
  method: 'GET',
  path: '/api/config',
  access: 'public',
  summary: 'Gets the settings of this deployment',
  reply: z.object({
    currency: Currency,
    provider: z.enum(['stripe', 'sandbox']),
    publishableKey: z.nullable(z.string()),
    sandboxUrl: z.optional(z.string()),
    googleSignIn: z.boolean(),
    /** With card payments: where the platform is, and the seller countries that it cannot pay automatically. */
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
