import { NOTIFICATION_KINDS, type NotificationKind } from '@sought/contract/notification-kinds'
import type { Keys } from '../../core/keys.ts'
import { createToken, readToken } from '../../core/signed-tokens.ts'

/*
 * The token of an unsubscribe link: the user, the kind of email, and our signature. It never expires, because an
 * email may be read years later and the token can only stop emails.
 */

const CONTEXT = 'sought/unsubscribe/v1'

interface Subscription {
  userId: string
  kind: NotificationKind
}

export function createUnsubscribeToken(
  { userId, kind }: { userId: string; kind: string },
  sessionKeys: Keys,
): string {
  return createToken(Buffer.from(`${kind}:${userId}`).toString('base64url'), CONTEXT, sessionKeys)
}

/** Null if the signature does not match. */
export function readUnsubscribeToken(token: string, sessionKeys: Keys): Subscription | null {
  const encoded = readToken(token, CONTEXT, sessionKeys)
  if (encoded === null) return null
  const text = Buffer.from(encoded, 'base64url').toString()
  const kind = NOTIFICATION_KINDS.find((name) => text.startsWith(`${name}:`))
  return kind ? { kind, userId: text.slice(kind.length + 1) } : null
}
