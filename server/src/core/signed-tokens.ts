import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Keys } from './keys.ts'

/*
 * Tokens in the links of emails: a text, our signature, and the id of the key if there are several. The token stays the
 * same if the email is sent again, and need not be stored.
 */

/** Separates keys that are derived from the same secret. */
export type TokenContext = 'sought/undo-email/v1' | 'sought/ticket/v1' | 'sought/unsubscribe/v1'

const KEY_BYTES = 32
const KEY_ID_CONTEXT = 'sought/key-id/v1'
const KEY_ID_BYTES = 6

/** The text may contain no dot. */
export function createToken(text: string, context: TokenContext, keys: Keys): string {
  const key = keys.writing()
  const token = `${text}.${sign(text, context, key).toString('base64url')}`
  // The previous release, which may still run, knows one key and no ids.
  return keys.all.length > 1 ? `${token}.${sessionKeyId(key)}` : token
}

/** The text; null if the signature does not match. */
export function readToken(token: string, context: TokenContext, keys: Keys): string | null {
  const [text = '', signature = '', keyId] = token.split('.')
  const given = Buffer.from(signature, 'base64url')
  const isSigned = keys.all
    .filter((key) => keyId === undefined || sessionKeyId(key) === keyId)
    .some((key) => {
      const expected = sign(text, context, key)
      return given.length === expected.length && timingSafeEqual(given, expected)
    })
  return isSigned ? text : null
}

export const createSignedId = (id: number, context: TokenContext, keys: Keys) =>
  createToken(String(id), context, keys)

export function readSignedId(token: string, context: TokenContext, keys: Keys): number | null {
  const id = readToken(token, context, keys)
  return id === null ? null : Number(id)
}

/** Says which key has signed something, without revealing the key. */
export function sessionKeyId(key: string): string {
  return Buffer.from(hkdfSync('sha256', key, '', KEY_ID_CONTEXT, KEY_ID_BYTES)).toString('base64url')
}

function sign(text: string, context: TokenContext, secret: string): Buffer {
  const key = hkdfSync('sha256', secret, '', context, KEY_BYTES)
  return createHmac('sha256', Buffer.from(key)).update(text).digest()
}
