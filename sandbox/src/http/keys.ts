import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { unauthorized } from './api-error.ts'
import type { Form } from './form-body.ts'

export interface Keys {
  secretKey: string
  publishableKey: string
  morePublishableKeys?: string[] | undefined
}

/** Checks the API key: a bearer token, the user name of basic authentication, or the `key` parameter. */
export function authenticate(headers: IncomingHttpHeaders, form: Form, keys: Keys): 'secret' | 'publishable' {
  const given = readKey(headers.authorization, form)
  if (given === undefined) {
    throw unauthorized(
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    )
  }
  if (equalsSecret(given, keys.secretKey)) return 'secret'
  const publishable = [keys.publishableKey, ...(keys.morePublishableKeys ?? [])]
  if (publishable.some((key) => equalsSecret(given, key))) return 'publishable'
  throw unauthorized(`Invalid API Key provided: ${maskKey(given)}`)
}

function readKey(authorization: string | undefined, form: Form): string | undefined {
  if (authorization === undefined) return typeof form.key === 'string' ? form.key : undefined
  const [, scheme, value = ''] = /^(bearer|basic) +(\S+)$/i.exec(authorization) ?? []
  if (scheme?.toLowerCase() === 'bearer') return value
  if (scheme) return Buffer.from(value, 'base64').toString().split(':')[0]
  return undefined
}

function equalsSecret(given: string, key: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(key)]
  return a.length === b.length && timingSafeEqual(a, b)
}

const maskKey = (key: string) => `${key.slice(0, 8)}****${key.length > 16 ? key.slice(-4) : ''}`
