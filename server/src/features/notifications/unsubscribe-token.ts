import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { NOTIFICATION_KINDS, type NotificationKind } from '@sought/contract/notification-kinds'

/*
 * The token of an unsubscribe link: the user, the kind of email, and our signature. It never expires, because an
 * email may be read years later and the token can only stop emails.
 */

/** Separates this key from other keys derived from the same secret. */
const KEY_CONTEXT = 'sought/unsubscribe/v1'
const KEY_BYTES = 32

interface Subscription {
  userId: string
  kind: NotificationKind
}

export function createUnsubscribeToken(
  { userId, kind }: { userId: string; kind: string },
  sessionSecret: string,
): string {
  const payload = Buffer.from(`${kind}:${userId}`).toString('base64url')
  return `${payload}.${sign(payload, sessionSecret).toString('base64url')}`
}

/** Null if the signature does not match. */
export function readUnsubscribeToken(token: string, sessionSecret: string): Subscription | null {
  const [payload = '', signature = ''] = token.split('.')
  const [expected, given] = [sign(payload, sessionSecret), Buffer.from(signature, 'base64url')]
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  const text = Buffer.from(payload, 'base64url').toString()
  const kind = NOTIFICATION_KINDS.find((name) => text.startsWith(`${name}:`))
  return kind ? { kind, userId: text.slice(kind.length + 1) } : null
}

function sign(payload: string, sessionSecret: string): Buffer {
  const key = hkdfSync('sha256', sessionSecret, '', KEY_CONTEXT, KEY_BYTES)
  return createHmac('sha256', Buffer.from(key)).update(payload).digest()
}
