import { createHash, randomBytes } from 'node:crypto'
import type { Db, Tx } from '../../platform/database.ts'
import { refuse } from '../../platform/errors.ts'
import { deleteTokens, insertToken, purgeTokens, spendToken } from './token-queries.ts'

/** What a mailed link is good for. */
export type TokenPurpose = 'verify_email' | 'reset_password'

const HOUR_MS = 3_600_000
const LASTS_MS = { verify_email: 24 * HOUR_MS, reset_password: HOUR_MS } as const

/** Makes a token for a link that goes to an address. It is known from then on by its hash alone. */
export async function makeToken(
  tx: Tx,
  { userId, purpose, email }: { userId: string; purpose: TokenPurpose; email: string },
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(tx.now.getTime() + LASTS_MS[purpose])
  await insertToken(tx, { hash: hashOf(token), userId, purpose, email, expiresAt })
  return token
}

/**
 * Whose link it is, and the address that it went to. It and all others of that person and purpose are used up
 * with it: of two at the same moment, one finds it gone.
 */
export async function useToken(tx: Tx, token: string, purpose: TokenPurpose) {
  const spent = await spendToken(tx, hashOf(token), purpose)
  if (!spent) throw refuse('link_expired')
  return spent
}

/** Makes every link of a person worthless, or those of one purpose. */
export async function dropTokens(tx: Tx, userId: string, purpose?: TokenPurpose): Promise<void> {
  await deleteTokens(tx, userId, purpose)
}

/** Forgets links that have run out. */
export async function purgeLinks(db: Db, now: Date): Promise<void> {
  await purgeTokens(db, now)
}

/** The token is random and long, so that a plain hash of it gives nothing away. */
const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url')
