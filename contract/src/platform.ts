import * as z from 'zod/mini'
import { call } from './call.ts'

/** A deployment has one currency. Both have cents, on which all arithmetic rests. */
export const Currency = z.enum(['usd', 'myr'])
export type Currency = z.output<typeof Currency>

export const getConfig = call({
  method: 'GET',
  path: '/api/config',
  access: 'public',
  summary: 'What the browser must know of this deployment',
  reply: z.object({
    currency: Currency,
    provider: z.enum(['stripe', 'sandbox']),
    publishableKey: z.nullable(z.string()),
    sandboxUrl: z.optional(z.string()),
    googleSignIn: z.boolean(),
    /** Present outside production only: pages for developers, and who may sign in to the demo. */
    development: z.optional(z.literal(true)),
    demoSignIns: z.optional(z.array(z.object({ role: z.string(), email: z.string(), password: z.string() }))),
  }),
})

export const listenToEvents = call({
  method: 'GET',
  path: '/api/events',
  access: 'user',
  summary: 'What changes for the person signed in, as server-sent events',
  reply: 'events',
})
