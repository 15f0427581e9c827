import { createCipheriv, createDecipheriv, createHmac, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'

/*
 * Encrypts data that must not be readable in a copy of the database (ADR 34). AES-256-GCM detects any change to the
 * encrypted text.
 */

const ALGORITHM = 'aes-256-gcm'
const VERSION = 'v1'
const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16
/** Separates this key from other keys derived from the same secret. Need not be secret itself. */
const SALT = 'sought/data-key/v1'
const HASH_SALT = 'sought/data-key/hash/v1'

export interface Encryption {
  /** Encrypts a text for one owner. It cannot be decrypted for another, even if it is copied to their row. */
  seal(text: string, owner: string): Promise<string>
  /** Throws Unreadable unless it was encrypted for this owner with this key and is unchanged. */
  open(sealed: string, owner: string): Promise<string>
  /** A keyed hash, to recognise the same text without storing it. */
  hash(text: string): Promise<string>
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

/** scrypt slows down guessing, since the secret may be a phrase that somebody invented. */
export function createEncryption(secret: string): Encryption {
  const deriveOnce = (salt: string) => {
    let derived: Promise<Buffer> | undefined
    return () => {
      derived ??= derive(secret, salt, KEY_BYTES)
      return derived
    }
  }
  const [key, hashKey] = [deriveOnce(SALT), deriveOnce(HASH_SALT)]
  return {
    async seal(text, owner) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv(ALGORITHM, await key(), iv, { authTagLength: TAG_BYTES })
      cipher.setAAD(ownerData(owner))
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return `${VERSION}:${Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString('base64url')}`
    },

    async open(sealed, owner) {
      const [version, encoded] = sealed.split(':')
      const bytes = Buffer.from(encoded ?? '', 'base64url')
      if (version !== VERSION || bytes.length < IV_BYTES + TAG_BYTES) throw new Unreadable()
      const decipher = createDecipheriv(ALGORITHM, await key(), bytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(ownerData(owner))
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
      try {
        const encrypted = bytes.subarray(IV_BYTES + TAG_BYTES)
        return Buffer.concat([decipher.update(encrypted), decipher.final()]).toString('utf8')
      } catch (error) {
        throw new Unreadable(error)
      }
    },

    hash: async (text) =>
      createHmac('sha256', await hashKey())
        .update(text)
        .digest('base64url'),
  }
}

const ownerData = (owner: string) => Buffer.from(`${VERSION}:${owner}`)
