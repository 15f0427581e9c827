import fastifyCookie, { type UnsignResult } from '@fastify/cookie'
import type { Keys } from '../core/keys.ts'

/** Signs cookies with the key that writes, and accepts those of all keys. `renew` means that another key signed it. */
export function createCookieSigner(keys: Keys) {
  return {
    sign: (value: string) => fastifyCookie.sign(value, keys.writing()),
    unsign(signed: string): UnsignResult {
      for (const key of keys.all) {
        const { valid, value } = fastifyCookie.unsign(signed, key)
        if (valid) return { valid, value, renew: key !== keys.writing() }
      }
      return { valid: false, value: null, renew: false }
    },
  }
}
