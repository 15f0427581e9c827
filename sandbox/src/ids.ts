import { randomBytes } from 'node:crypto'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const LENGTH = 24

/** An id in Stripe's format, such as `pi_3Kx…`: a prefix and 24 random characters. */
export function newId(prefix: string): string {
  return `${prefix}_${randomAlphanumeric(LENGTH)}`
}

export function randomAlphanumeric(length: number): string {
  let letters = ''
  while (letters.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 is the largest multiple of 62 below 256. Using larger bytes would favour some characters.
      if (byte < 248 && letters.length < length) letters += ALPHABET[byte % 62]
    }
  }
  return letters
}
