import type { PASSKEY_PURPOSES } from '@sought/contract/second-factors'
import { and, asc, count, eq, gt, gte, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../database/database.ts'
import { deleteRows, findRow } from '../../../database/rows.ts'
import { passkeyChallenges, passkeys, recoveryCodes, totpFactors, users } from '../../../database/schema.ts'

/** Locks the account against concurrent changes of its factors. Undefined if it is deleted. */
export async function lockOwner(tx: Tx, userId: string) {
  const [found] = await tx
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.deletedAt)))
    .for('no key update')
  return found
}

export async function findTotp(db: Db, userId: string) {
  return findRow(db, totpFactors, { userId })
}

/** Replaces an unfinished setup. Returns false if an app is already enabled. */
export async function saveTotp(tx: Tx, userId: string, secret: string): Promise<boolean> {
  const saved = await tx
    .insert(totpFactors)
    .values({ userId, secret, createdAt: tx.now })
    .onConflictDoUpdate({
      target: totpFactors.userId,
      set: { secret, createdAt: tx.now },
      setWhere: isNull(totpFactors.enabledAt),
    })
    .returning({ userId: totpFactors.userId })
  return saved.length > 0
}

/** Returns false if a code of this or a later period was used before. Only one of two concurrent uses succeeds. */
export async function usePeriod(tx: Tx, userId: string, period: number): Promise<boolean> {
  const { enabledAt, lastUsedPeriod } = totpFactors
  const used = await tx
    .update(totpFactors)
    .set({ lastUsedPeriod: period })
    .where(and(eq(totpFactors.userId, userId), isNotNull(enabledAt), lt(lastUsedPeriod, period)))
    .returning({ userId: totpFactors.userId })
  return used.length > 0
}

export async function deleteTotp(tx: Tx, userId: string): Promise<boolean> {
  const deleted = await tx
    .delete(totpFactors)
    .where(eq(totpFactors.userId, userId))
    .returning({ enabledAt: totpFactors.enabledAt })
  return deleted.some(({ enabledAt }) => enabledAt !== null)
}

/** Which kinds of second factor a user has. */
export async function findFactorKinds(db: Db, userId: string): Promise<{ totp: boolean; passkey: boolean }> {
  const { rows } = await db.execute<{ totp: boolean; passkey: boolean }>(sql`
    select
      exists (select from ${totpFactors} where user_id = ${userId} and enabled_at is not null) as totp,
      exists (select from ${passkeys} where user_id = ${userId}) as passkey`)
  return rows[0] ?? { totp: false, passkey: false }
}

export async function replaceCodes(tx: Tx, userId: string, hashes: string[]): Promise<void> {
  await deleteCodes(tx, userId)
  await tx.insert(recoveryCodes).values(hashes.map((hash) => ({ userId, hash })))
}

export async function deleteCodes(tx: Tx, userId: string): Promise<void> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
}

/** Returns false if there is no such code. Only one of two concurrent uses succeeds. */
export async function deleteCode(tx: Tx, userId: string, hash: string): Promise<boolean> {
  return deleteRows(tx, recoveryCodes, { userId, hash })
}

export async function countCodes(db: Db, userId: string): Promise<number> {
  const [found] = await db
    .select({ count: count() })
    .from(recoveryCodes)
    .where(eq(recoveryCodes.userId, userId))
  return found?.count ?? 0
}

export function findPasskeys(db: Db, userId: string) {
  return db
    .select()
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(asc(passkeys.createdAt), asc(passkeys.id))
}

export async function findOwnerOf(db: Db, passkeyId: string): Promise<string | undefined> {
  const found = await findRow(db, passkeys, { id: passkeyId }, ['userId'])
  return found?.userId
}

/** Undefined if the passkey is registered already. */
export async function insertPasskey(tx: Tx, passkey: Omit<typeof passkeys.$inferInsert, 'createdAt'>) {
  const [inserted] = await tx
    .insert(passkeys)
    .values({ ...passkey, createdAt: tx.now })
    .onConflictDoNothing()
    .returning()
  return inserted
}

/** Undefined if the user has no such passkey. */
export async function updatePasskey(
  tx: Tx,
  { id, userId }: { id: string; userId: string },
  change: Partial<Pick<typeof passkeys.$inferInsert, 'name' | 'counter' | 'lastUsedAt'>>,
) {
  const [updated] = await tx
    .update(passkeys)
    .set(change)
    .where(and(eq(passkeys.id, id), eq(passkeys.userId, userId)))
    .returning()
  return updated
}

/** Deletes the authenticator app and the passkeys that were added at this time or later. */
export async function deleteFactorsSince(tx: Tx, userId: string, since: Date): Promise<void> {
  await tx
    .delete(totpFactors)
    .where(
      and(
        eq(totpFactors.userId, userId),
        or(isNull(totpFactors.enabledAt), gte(totpFactors.enabledAt, since)),
      ),
    )
  await tx.delete(passkeys).where(and(eq(passkeys.userId, userId), gte(passkeys.createdAt, since)))
}

/** Deletes one passkey of a user, or all of them. */
export async function deletePasskeys(tx: Tx, userId: string, id?: string): Promise<boolean> {
  const deleted = await tx
    .delete(passkeys)
    .where(and(eq(passkeys.userId, userId), id === undefined ? undefined : eq(passkeys.id, id)))
    .returning({ id: passkeys.id })
  return deleted.length > 0
}

export interface Challenge {
  challenge: string
  purpose: 'register' | (typeof PASSKEY_PURPOSES)[number]
  /** Null for a sign-in, when the user is not known yet. */
  userId: string | null
}

export async function insertChallenge(tx: Tx, challenge: Challenge, expiresAt: Date): Promise<void> {
  await tx.insert(passkeyChallenges).values({ ...challenge, expiresAt })
}

/**
 * Returns false if the challenge is unknown, expired or meant for another purpose. Only one of two concurrent uses
 * succeeds.
 */
export async function takeChallenge(tx: Tx, { challenge, purpose, userId }: Challenge): Promise<boolean> {
  const taken = await tx
    .delete(passkeyChallenges)
    .where(
      and(
        eq(passkeyChallenges.challenge, challenge),
        eq(passkeyChallenges.purpose, purpose),
        userId === null ? isNull(passkeyChallenges.userId) : eq(passkeyChallenges.userId, userId),
        gt(passkeyChallenges.expiresAt, tx.now),
      ),
    )
    .returning({ challenge: passkeyChallenges.challenge })
  return taken.length > 0
}
