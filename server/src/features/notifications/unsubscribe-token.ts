import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { NOTIFICATION_KINDS, type NotificationKind } from '@sought/contract/notification-kinds'

/*
 * What a link that switches off a kind of mail carries. It says whose mails and which, and a signature that only
 * we can make. It never runs out: a mail may be read years later, and all that it can do is to stop mails.
 */

/** Sets this use of the secret apart from any other. */
const USE = 'sought/unsubscribe/v1'
const KEY_BYTES = 32

interface Unsubscribing {
  userId: string
  kind: NotificationKind
}

export function makeUnsubscribeToken({ userId, kind }: Unsubscribing, sessionSecret: string): string {
  const said = Buffer.from(`${kind}:${userId}`).toString('base64url')
  return `${said}.${sign(said, sessionSecret).toString('base64url')}`
}

/** Null unless we have made it, with this very secret. */
export function readUnsubscribeToken(token: string, sessionSecret: string): Unsubscribing | null {
  const [said = '', signature = ''] = token.split('.')
  const [right, given] = [sign(said, sessionSecret), Buffer.from(signature, 'base64url')]
  if (given.length !== right.length || !timingSafeEqual(given, right)) return null
  const words = Buffer.from(said, 'base64url').toString()
  const kind = NOTIFICATION_KINDS.find((name) => words.startsWith(`${name}:`))
  return kind ? { kind, userId: words.slice(kind.length + 1) } : null
}

function sign(said: string, sessionSecret: string): Buffer {
  const key = hkdfSync('sha256', sessionSecret, '', USE, KEY_BYTES)
  return createHmac('sha256', Buffer.from(key)).update(said).digest()
}
