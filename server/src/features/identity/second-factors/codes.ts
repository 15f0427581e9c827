import { createHash } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import type { Encryption } from '../../../core/encryption.ts'
import type { Tx } from '../../../database/database.ts'
import * as queries from './queries.ts'

/*
 * One-time codes of authenticator apps (RFC 6238) and recovery codes. Every code can be used once.
 */

const SECRET_BYTES = 20
const PERIOD_SECONDS = 30
/** Also accepts the previous and the next code, because clocks may be slightly wrong. */
const WINDOW_PERIODS = 1
const RECOVERY_CODES = 10
const RECOVERY_BYTES = 10

export const newTotpSecret = () => new Secret({ size: SECRET_BYTES }).base32

/** The URI that authenticator apps read from a QR code. */
export function totpUri(secret: string, label: string, issuer: string): string {
  return new TOTP({ issuer, label, secret }).toString()
}

/**
 * The secret is encrypted for this owner, so that it can be swapped neither with another user's secret nor with
 * bank details.
 */
export const totpOwner = (userId: string) => `totp:${userId}`

const isTotpCode = (code: string) => /^\d{6}$/.test(code)

/** The period of a correct code, or null. */
export function periodOf(code: string, secret: string, now: Date): number | null {
  // otpauth throws if a code has the right length but contains non-ASCII characters.
  if (!isTotpCode(code)) return null
  const timestamp = now.getTime()
  const delta = new TOTP({ secret }).validate({ token: code, timestamp, window: WINDOW_PERIODS })
  return delta === null ? null : Math.floor(timestamp / 1000 / PERIOD_SECONDS) + delta
}

/** Spaces and dashes only make codes easier to read. */
export const plainCode = (code: string) => code.replace(/[\s-]/g, '').toLowerCase()

/** Uses up a code of the authenticator app, or a recovery code. Returns which it was, or null if it is wrong. */
export async function useCode(
  tx: Tx,
  encryption: Encryption,
  userId: string,
  given: string,
): Promise<'totp' | 'recovery_code' | null> {
  const code = plainCode(given)
  if (isTotpCode(code)) return (await useTotpCode(tx, encryption, userId, code)) ? 'totp' : null
  return (await queries.deleteCode(tx, userId, hashOf(userId, code))) ? 'recovery_code' : null
}

async function useTotpCode(tx: Tx, encryption: Encryption, userId: string, code: string): Promise<boolean> {
  const factor = await queries.findTotp(tx, userId)
  if (!factor?.enabledAt) return false
  const secret = await encryption.open(factor.secret, totpOwner(userId))
  const period = periodOf(code, secret, tx.now)
  return period !== null && queries.usePeriod(tx, userId, period)
}

/** A code has 80 random bits, so a quick hash is safe. */
const hashOf = (userId: string, code: string) =>
  createHash('sha256').update(`${userId}:${code}`).digest('base64url')

/** Replaces all recovery codes. They are shown once, since only their hashes are stored. */
export async function createRecoveryCodes(tx: Tx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
  await queries.replaceCodes(
    tx,
    userId,
    codes.map((code) => hashOf(userId, plainCode(code))),
  )
  return codes
}

/** Such as 'k3vq-7d2m-xw4p-ol6z'. */
function newRecoveryCode(): string {
  const text = new Secret({ size: RECOVERY_BYTES }).base32.toLowerCase()
  return text.replace(/(.{4})(?=.)/g, '$1-')
}
