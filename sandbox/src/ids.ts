import { randomBytes } from 'node:crypto'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const LENGTH = 24

/** An id as Stripe writes them, `pi_3Kx…`: what it names, and 24 letters that nobody can guess. */
export function newId(prefix: string): string {
  return `${prefix}_${randomAlphanumeric(LENGTH)}`
}

export function randomAlphanumeric(length: number): string {
  let letters = ''
  while (letters.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 is the last multiple of 62 below 256: anything above would make some letters likelier than others.
      if (byte < 248 && letters.length < length) letters += ALPHABET[byte % 62]
    }
  }
  return letters
}
