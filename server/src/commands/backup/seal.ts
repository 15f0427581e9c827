import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { BackupRefused } from './refused.ts'

/*
 * Encrypts the objects of a backup. AES-256-GCM detects any change. It also authenticates the object's name, so
 * that no object can replace another.
 */

const ALGORITHM = 'aes-256-gcm'
const KEY_BYTES = 32
export const SALT_BYTES = 16
const IV_BYTES = 12
const TAG_BYTES = 16

export interface Seal {
  close(name: string, bytes: Uint8Array): Buffer
  /** Throws BackupRefused if the object was changed or renamed, or if the passphrase is wrong. */
  open(name: string, sealed: Buffer): Buffer
}

const derive = promisify<string, Buffer, number, Buffer>(scrypt)

/** The target has one salt, because deriving a key for each object would take too long. */
export async function createSeal(passphrase: string, salt: Buffer): Promise<Seal> {
  const key = await derive(passphrase, salt, KEY_BYTES)
  return {
    close(name, bytes) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES })
      cipher.setAAD(Buffer.from(name))
      const encrypted = [cipher.update(bytes), cipher.final()]
      return Buffer.concat([iv, cipher.getAuthTag(), ...encrypted])
    },
    open(name, sealed) {
      if (sealed.length < IV_BYTES + TAG_BYTES) throw damaged(name)
      const [iv, tag] = [sealed.subarray(0, IV_BYTES), sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)]
      const decipher = createDecipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(name))
      decipher.setAuthTag(tag)
      try {
        return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()])
      } catch {
        throw damaged(name)
      }
    },
  }
}

/** Used without a passphrase. The manifest's checksums detect damage. */
export const noSeal: Seal = { close: (_, bytes) => Buffer.from(bytes), open: (_, bytes) => bytes }

const damaged = (name: string) =>
  new BackupRefused(`${name} cannot be decrypted: BACKUP_PASSPHRASE is wrong, or the object was changed`)
