import { and, desc, eq, isNull, lt, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../platform/database.ts'
import { payments, payouts, users, wantedItems } from '../../platform/schema.ts'

export async function findPayoutMethods(db: Db, userId: string) {
  const [found] = await db
    .select({ accountId: users.stripeConnectAccountId, encryptedDetails: users.bankAccountDetails })
    .from(users)
    .where(eq(users.id, userId))
  if (!found) throw new Error(`no seller ${userId}`)
  return found
}

/**
 * Saves a seller's connected account if they have none or only the `gone` one. Returns the account they have
 * afterwards, or undefined if the user was deleted. A single statement, so that concurrent calls return the same
 * account.
 */
export async function claimAccount(
  tx: Tx,
  userId: string,
  accountId: string,
  gone: string | null,
): Promise<string | undefined> {
  const isFree = sql`${users.stripeConnectAccountId} is null or ${users.stripeConnectAccountId} = ${gone}::text`
  const [row] = await tx
    .update(users)
    .set({
      stripeConnectAccountId: sql`case when ${isFree} then ${accountId} else ${users.stripeConnectAccountId} end`,
      updatedAt: tx.now,
    })
    .where(and(eq(users.id, userId), isNull(users.deletedAt)))
    .returning({ accountId: users.stripeConnectAccountId })
  return row?.accountId ?? undefined
}

export async function updatePayoutMethods(
  tx: Tx,
  userId: string,
  change: { stripeConnectAccountId: null } | { bankAccountDetails: string },
): Promise<void> {
  await tx
    .update(users)
    .set({ ...change, updatedAt: tx.now })
    .where(and(eq(users.id, userId), isNull(users.deletedAt)))
}

/** Whether a payout is owed that the provider has never refused. */
export async function hasUntriedPayouts(db: Db, sellerId: string): Promise<boolean> {
  const found = await db
    .select({ id: payouts.id })
    .from(payouts)
    .where(and(eq(payouts.sellerId, sellerId), eq(payouts.status, 'owed'), eq(payouts.attempt, 0)))
    .limit(1)
  return found.length > 0
}

/** Latest first. */
export function findPayouts(
  db: Db,
  sellerId: string,
  { limit, cursor }: { limit: number; cursor?: number | undefined },
) {
  return db
    .select({
      id: payouts.id,
      paymentId: payouts.paymentId,
      itemTitle: wantedItems.title,
      amount: payouts.amount,
      currency: payments.currency,
      method: payouts.method,
      status: payouts.status,
      createdAt: payouts.createdAt,
      paidAt: payouts.paidAt,
    })
    .from(payouts)
    .innerJoin(payments, eq(payments.id, payouts.paymentId))
    .innerJoin(wantedItems, eq(wantedItems.id, payments.wantedItemId))
    .where(and(eq(payouts.sellerId, sellerId), cursor ? lt(payouts.id, cursor) : undefined))
    .orderBy(desc(payouts.id))
    .limit(limit)
}
