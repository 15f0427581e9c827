import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/*
 * Tokens in the links of emails: an id and our signature. The token stays the same if the email is sent again, and
 * need not be stored.
 */

/** Separates keys that are derived from the same secret. */
export type TokenContext = 'sought/undo-email/v1' | 'sought/ticket/v1'

const KEY_BYTES = 32

export function createSignedId(id: number, context: TokenContext, sessionSecret: string): string {
  return `${id}.${sign(String(id), context, sessionSecret).toString('base64url')}`
}

/** The id; null if the signature does not match. */
export function readSignedId(token: string, context: TokenContext, sessionSecret: string): number | null {
  const [id = '', signature = ''] = token.split('.')
  const [expected, given] = [sign(id, context, sessionSecret), Buffer.from(signature, 'base64url')]
  return given.length === expected.length && timingSafeEqual(given, expected) ? Number(id) : null
}

function sign(payload: string, context: TokenContext, sessionSecret: string): Buffer {
  const key = hkdfSync('sha256', sessionSecret, '', context, KEY_BYTES)
  return createHmac('sha256', Buffer.from(key)).update(payload).digest()
}
