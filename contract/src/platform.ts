import * as z from 'zod/mini'
import { call } from './call.ts'

export const getConfig = call({
  method: 'GET',
  path: '/api/config',
  access: 'public',
  says: 'What the browser must know of this deployment',
  reply: z.object({
    currency: z.string(),
    provider: z.enum(['stripe', 'sandbox']),
    publishableKey: z.nullable(z.string()),
    sandboxUrl: z.optional(z.string()),
    googleSignIn: z.boolean(),
    demoSignIns: z.optional(z.array(z.object({ role: z.string(), email: z.string(), password: z.string() }))),
  }),
})

export const listenToEvents = call({
  method: 'GET',
  path: '/api/events',
  access: 'user',
  says: 'What changes for the person signed in, as server-sent events',
  reply: 'events',
})
