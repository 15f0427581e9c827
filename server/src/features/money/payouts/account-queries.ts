import { and, asc, eq, inArray, isNotNull, lte, ne, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../database/database.ts'
import { deleteRows, findRow, updateRows } from '../../../database/rows.ts'
import { payoutAccounts, payouts, users } from '../../../database/schema.ts'

/* The connected accounts of sellers, and the payouts that their banks returned. */

export type PayoutAccount = typeof payoutAccounts.$inferSelect

export const findPayoutAccount = (db: Db, userId: string): Promise<PayoutAccount | undefined> =>
  findRow(db, payoutAccounts, { userId })

/** Locks the seller first, like changes of the payout account do. */
export async function lockSellerOf(tx: Tx, accountId: string) {
  const [found] = await tx
    .select({ id: users.id, payoutsEnabled: users.payoutsEnabled })
    .from(users)
    .where(eq(users.stripeConnectAccountId, accountId))
    .for('no key update')
  return found
}

/** The seller is locked, so nobody else adds the row. */
export async function savePayoutAccount(tx: Tx, account: PayoutAccount, isKnown: boolean): Promise<void> {
  if (isKnown) await updateRows(tx, payoutAccounts, { userId: account.userId }, account)
  else await tx.insert(payoutAccounts).values(account)
}

/** Starts to follow the account of a seller, in place of an earlier one. Null if they have none any more. */
export async function followAccount(tx: Tx, userId: string, accountId: string | null): Promise<void> {
  await deleteRows(tx, payoutAccounts, { userId })
  if (accountId) await tx.insert(payoutAccounts).values({ userId, accountId, checkAt: tx.now })
}

export async function setPayoutsEnabled(tx: Tx, accountId: string, payoutsEnabled: boolean): Promise<void> {
  await tx
    .update(users)
    .set({ payoutsEnabled, updatedAt: tx.now })
    .where(and(eq(users.stripeConnectAccountId, accountId), ne(users.payoutsEnabled, payoutsEnabled)))
}

/**
 * Returns the sellers of the account. `payoutsWaitUntil` is set to now, which marks that a new account will
 * not be their first.
 */
export async function removeAccount(tx: Tx, accountId: string): Promise<string[]> {
  const removed = await tx
    .update(users)
    .set({ stripeConnectAccountId: null, payoutsEnabled: false, payoutsWaitUntil: tx.now, updatedAt: tx.now })
    .where(eq(users.stripeConnectAccountId, accountId))
    .returning({ id: users.id })
  const ids = removed.map(({ id }) => id)
  await tx
    .update(payoutAccounts)
    .set({ canReceive: false, requirements: [], checkAt: null, closedAt: tx.now })
    .where(and(inArray(payoutAccounts.userId, ids), eq(payoutAccounts.accountId, accountId)))
  return ids
}

/**
 * Returns accounts that are due to be read, and sets when they are due again if that fails. Accounts that are no
 * longer their seller's are not read again.
 */
export async function claimAccounts(tx: Tx, again: Date, limit: number): Promise<string[]> {
  const due = tx
    .select({ userId: payoutAccounts.userId })
    .from(payoutAccounts)
    .where(lte(payoutAccounts.checkAt, tx.now))
    .orderBy(payoutAccounts.checkAt)
    .limit(limit)
  const isCurrent = sql`${users.stripeConnectAccountId} is not distinct from ${payoutAccounts.accountId}`
  const claimed = await tx
    .update(payoutAccounts)
    .set({ checkAt: sql`case when ${isCurrent} then ${again.toISOString()}::timestamptz end` })
    .from(users)
    .where(and(eq(users.id, payoutAccounts.userId), inArray(payoutAccounts.userId, due)))
    .returning({ accountId: payoutAccounts.accountId, checkAt: payoutAccounts.checkAt })
  return claimed.flatMap(({ accountId, checkAt }) => (checkAt ? accountId : []))
}

/** The payouts with these transfers that are not yet known to have failed at the bank. */
export function findUnmarked(db: Db, transferIds: string[]) {
  return db
    .select({ id: payouts.id })
    .from(payouts)
    .where(and(inArray(payouts.providerId, transferIds), sql`${payouts.bankFailure} is null`))
    .orderBy(asc(payouts.id))
}

/** The payouts to an account that have failed at the bank. */
export function findMarked(db: Db, accountId: string) {
  return db
    .select({ id: payouts.id })
    .from(payouts)
    .where(and(eq(payouts.destination, accountId), isNotNull(payouts.bankFailure)))
    .orderBy(asc(payouts.id))
}

export async function setBankFailure(tx: Tx, id: number, bankFailure: string | null): Promise<void> {
  await updateRows(tx, payouts, { id }, { bankFailure, updatedAt: tx.now })
}
