import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'

/*
 * Encryption at rest for what must not be readable in a copy of the database (ADR 34). AES-256-GCM:
 * whoever changes a byte of a sealed text makes it unreadable instead of different.
 */

const ALGORITHM = 'aes-256-gcm'
const VERSION = 'v1'
const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16
/** Sets this use of the secret apart from any other. It need not be secret itself. */
const SALT = 'sought/data-key/v1'

export interface Encryption {
  /** Seals a text for one owner: sealed for another it cannot be opened, wherever it is copied to. */
  seal(text: string, owner: string): Promise<string>
  /** Throws Unreadable unless it was sealed for this owner under this key and is unchanged. */
  open(sealed: string, owner: string): Promise<string>
}

/** Something sealed cannot be opened. The message is for the operator; nothing of it reaches a user. */
export class Unreadable extends Error {
  constructor(cause?: unknown) {
    super(
      'sealed data cannot be opened: DATA_KEY is not the one it was sealed under, or the row was altered',
      {
        cause,
      },
    )
  }
}

const derive = promisify<string, string, number, Buffer>(scrypt)

/** The secret may be a phrase that somebody thought up: scrypt makes guessing it dear. */
export function createEncryption(secret: string): Encryption {
  let derived: Promise<Buffer> | undefined
  const key = () => {
    derived ??= derive(secret, SALT, KEY_BYTES)
    return derived
  }
  return {
    async seal(text, owner) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv(ALGORITHM, await key(), iv, { authTagLength: TAG_BYTES })
      cipher.setAAD(boundTo(owner))
      const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return `${VERSION}:${Buffer.concat([iv, cipher.getAuthTag(), hidden]).toString('base64url')}`
    },

    async open(sealed, owner) {
      const [version, encoded] = sealed.split(':')
      const bytes = Buffer.from(encoded ?? '', 'base64url')
      if (version !== VERSION || bytes.length < IV_BYTES + TAG_BYTES) throw new Unreadable()
      const decipher = createDecipheriv(ALGORITHM, await key(), bytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(boundTo(owner))
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
      try {
        const hidden = bytes.subarray(IV_BYTES + TAG_BYTES)
        return Buffer.concat([decipher.update(hidden), decipher.final()]).toString('utf8')
      } catch (error) {
        throw new Unreadable(error)
      }
    },
  }
}

const boundTo = (owner: string) => Buffer.from(`${VERSION}:${owner}`)
