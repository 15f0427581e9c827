import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  randomBytes,
  scrypt,
  timingSafeEqual,
} from 'node:crypto'
import { promisify } from 'node:util'
import type { Keys } from './keys.ts'

/*
 * Encrypts data that must not be readable in a copy of the database (ADR 34). AES-256-GCM detects any change to the
 * encrypted text. The id of the key follows the text, which version 0.2 and before wrote without it (ADR 105).
 */

const ALGORITHM = 'aes-256-gcm'
const VERSION = 'v1'
const KEY_BYTES = 32
const KEY_ID_BYTES = 6
const IV_BYTES = 12
const TAG_BYTES = 16
/** Separates this key from other keys derived from the same secret. Need not be secret itself. */
const SALT = 'sought/data-key/v1'
const HASH_SALT = 'sought/data-key/hash/v1'
const KEY_ID_TEXT = 'sought/data-key/id/v1'

export interface Encryption {
  /** Encrypts a text for one owner. It cannot be decrypted for another, even if it is copied to their row. */
  seal(text: string, owner: string): Promise<string>
  /** Throws Unreadable unless it was encrypted for this owner with one of the keys and is unchanged. */
  open(sealed: string, owner: string): Promise<string>
  /** A keyed hash, to recognise the same text without storing it. */
  hash(text: string): Promise<string>
  /** Whether one of the keys made the hash of this text. */
  isHashOf(hash: string, text: string): Promise<boolean>
  /** The id of the key that writes. What it has encrypted ends with it. */
  keyId(): Promise<string>
}

/** The message is for the operator and is never shown to users. */
export class Unreadable extends Error {
  constructor(cause?: unknown) {
    super('stored data cannot be decrypted: DATA_KEY has changed, or the row was modified', {
      cause,
    })
  }
}

const derive = promisify<string, string, number, Buffer>(scrypt)
const derived = new Map<string, Promise<Buffer>>()

/** scrypt slows down guessing, since the secret may be a phrase that somebody invented. */
function deriveOnce(secret: string, salt: string): Promise<Buffer> {
  const name = `${salt}:${secret}`
  const known = derived.get(name) ?? derive(secret, salt, KEY_BYTES)
  derived.set(name, known)
  return known
}

const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest()

async function keyIdOf(secret: string): Promise<string> {
  return hmac(await deriveOnce(secret, SALT), KEY_ID_TEXT)
    .subarray(0, KEY_ID_BYTES)
    .toString('base64url')
}

export function createEncryption(keys: Keys): Encryption {
  /** Tries all keys for a text without an id. */
  async function findSecrets(keyId: string | undefined): Promise<readonly string[]> {
    if (keyId === undefined) return keys.all
    const ids = await Promise.all(keys.all.map(keyIdOf))
    return keys.all.filter((_, index) => ids[index] === keyId)
  }

  return {
    async seal(text, owner) {
      const secret = keys.writing()
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv(ALGORITHM, await deriveOnce(secret, SALT), iv, {
        authTagLength: TAG_BYTES,
      })
      cipher.setAAD(ownerData(owner))
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      const bytes = Buffer.concat([iv, cipher.getAuthTag(), encrypted])
      return `${VERSION}:${bytes.toString('base64url')}:${await keyIdOf(secret)}`
    },

    async open(sealed, owner) {
      const [version, encoded, keyId] = sealed.split(':')
      const bytes = Buffer.from(encoded ?? '', 'base64url')
      if (version !== VERSION || bytes.length < IV_BYTES + TAG_BYTES) throw new Unreadable()
      let cause: unknown
      for (const secret of await findSecrets(keyId)) {
        try {
          return decrypt(bytes, await deriveOnce(secret, SALT), owner)
        } catch (error) {
          cause = error
        }
      }
      throw new Unreadable(cause)
    },

    hash: async (text) => hmac(await deriveOnce(keys.writing(), HASH_SALT), text).toString('base64url'),

    async isHashOf(hash, text) {
      const given = Buffer.from(hash, 'base64url')
      for (const secret of keys.all) {
        const expected = hmac(await deriveOnce(secret, HASH_SALT), text)
        if (given.length === expected.length && timingSafeEqual(given, expected)) return true
      }
      return false
    },

    keyId: () => keyIdOf(keys.writing()),
  }
}

function decrypt(bytes: Buffer, key: Buffer, owner: string): string {
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAAD(ownerData(owner))
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
  const encrypted = bytes.subarray(IV_BYTES + TAG_BYTES)
  return Buffer.concat([decipher.update(encrypted), decipher.final()]).toString('utf8')
}

const ownerData = (owner: string) => Buffer.from(`${VERSION}:${owner}`)
