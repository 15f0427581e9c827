import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { unauthorised } from './api-error.ts'
import type { Form } from './form-body.ts'

export interface Keys {
  secretKey: string
  publishableKey: string
}

/** Which key a call came with: as a bearer, as the name of basic authentication, or as a browser's parameter. */
export function keyOf(headers: IncomingHttpHeaders, form: Form, keys: Keys): 'secret' | 'publishable' {
  const given = keyGiven(headers.authorization, form)
  if (given === undefined) {
    throw unauthorised(
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    )
  }
  if (same(given, keys.secretKey)) return 'secret'
  if (same(given, keys.publishableKey)) return 'publishable'
  throw unauthorised(`Invalid API Key provided: ${masked(given)}`)
}

function keyGiven(authorization: string | undefined, form: Form): string | undefined {
  if (authorization === undefined) return typeof form.key === 'string' ? form.key : undefined
  const [, scheme, value = ''] = /^(bearer|basic) +(\S+)$/i.exec(authorization) ?? []
  if (scheme?.toLowerCase() === 'bearer') return value
  if (scheme) return Buffer.from(value, 'base64').toString().split(':')[0]
  return undefined
}

function same(given: string, key: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(key)]
  return a.length === b.length && timingSafeEqual(a, b)
}

const masked = (key: string) => `${key.slice(0, 8)}****${key.length > 16 ? key.slice(-4) : ''}`
