import { createHash, randomBytes } from 'node:crypto'
import { and, eq, gt } from 'drizzle-orm'
import { refuse } from '../../core/errors.ts'
import type { Db, Tx } from '../../database/database.ts'
import { accountTokens } from '../../database/schema.ts'

/* Single-use tokens in the links of account emails. Only their hashes are stored. */

export type TokenPurpose = 'verify_email' | 'reset_password'

const HOUR_MS = 3_600_000
const LIFETIME_MS = { verify_email: 24 * HOUR_MS, reset_password: HOUR_MS } as const

/** The token is long and random, so an unsalted hash is safe. */
const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url')

export async function createToken(
  tx: Tx,
  { userId, purpose, email }: { userId: string; purpose: TokenPurpose; email: string },
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(tx.now.getTime() + LIFETIME_MS[purpose])
  await tx
    .insert(accountTokens)
    .values({ hash: hashOf(token), userId, purpose, email, expiresAt, createdAt: tx.now })
  return token
}

/**
 * Deletes a valid token of a locked user with the user's other tokens for the same purpose, so that the second of
 * two concurrent uses is refused.
 */
export async function useToken(tx: Tx, userId: string, token: string, purpose: TokenPurpose): Promise<void> {
  const deleted = await tx
    .delete(accountTokens)
    .where(and(eq(accountTokens.userId, userId), eq(accountTokens.purpose, purpose)))
    .returning({ hash: accountTokens.hash })
  if (!deleted.some(({ hash }) => hash === hashOf(token))) throw refuse('link_expired')
}

/** The owner of a valid token and the address that it was sent to, without using it. */
export async function findToken(db: Db, token: string, purpose: TokenPurpose, now: Date) {
  const { hash, userId, email, expiresAt } = accountTokens
  const [found] = await db
    .select({ userId, email })
    .from(accountTokens)
    .where(and(eq(hash, hashOf(token)), eq(accountTokens.purpose, purpose), gt(expiresAt, now)))
  return found
}

/** Invalidates a user's links, or only those for one purpose. */
export async function revokeTokens(tx: Tx, userId: string, purpose?: TokenPurpose): Promise<void> {
  await tx
    .delete(accountTokens)
    .where(and(eq(accountTokens.userId, userId), purpose ? eq(accountTokens.purpose, purpose) : undefined))
}
