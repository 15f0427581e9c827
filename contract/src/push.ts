import * as z from 'zod/mini'
import { callsOf } from './call.ts'
import { Done } from './fields.ts'
import { PUSH_TOPICS } from './notification-kinds.ts'

const call = callsOf({ subjects: ['settings'] })

export const getPushKey = call({
  method: 'GET',
  path: '/api/push/key',
  access: 'public',
  about: [],
  summary: 'Gets the public key that browsers subscribe to push notifications with',
  reply: z.object({ publicKey: z.string() }),
})

/** Bytes in base64url. */
const bytes = (count: number) => {
  const characters = Math.ceil((count * 8) / 6)
  return z.string().check(z.regex(new RegExp(`^[A-Za-z0-9_-]{${characters}}={0,2}$`), 'Not a valid key'))
}

/** The JSON of a browser's PushSubscription. */
export const PushSubscription = z.object({
  endpoint: z.url({ protocol: /^https?$/, error: 'Must be an https address' }).check(z.maxLength(2000)),
  keys: z.object({ p256dh: bytes(65), auth: bytes(16) }),
})
export type PushSubscription = z.output<typeof PushSubscription>

export const addPushSubscription = call({
  method: 'POST',
  path: '/api/push/subscriptions',
  access: 'user',
  summary: 'Sends push notifications to this browser until its session ends',
  body: PushSubscription,
  reply: Done,
  refuses: ['push_service_refused'],
})

export const removePushSubscription = call({
  method: 'DELETE',
  path: '/api/push/subscriptions',
  access: 'user',
  allowedIfSuspended: true,
  summary: 'Stops push notifications to this browser',
  reply: Done,
})

export const PushSettings = z.object({
  /** The topics that are switched off. */
  off: z.array(z.enum(PUSH_TOPICS)),
  /** Whether this browser gets push notifications. */
  subscribed: z.boolean(),
})
export type PushSettings = z.output<typeof PushSettings>

export const getPushSettings = call({
  method: 'GET',
  path: '/api/user/push-settings',
  access: 'user',
  fresh: 'on open',
  summary: 'Gets the topics of push notifications that are switched off',
  reply: PushSettings,
})

export const updatePushSettings = call({
  method: 'PUT',
  path: '/api/user/push-settings',
  access: 'user',
  summary: 'Sets the topics of push notifications that are switched off',
  body: z.pick(PushSettings, { off: true }),
  reply: PushSettings,
})
