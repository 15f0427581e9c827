import { and, desc, eq, inArray, isNull, lt, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../database/database.ts'
import { columns } from '../../../database/rows.ts'
import { ledgerEntries, offerRequests, payments, payouts, users } from '../../../database/schema.ts'
import { payoutsWaitUntil } from '../payouts/payouts-wait.ts'

const payoutMethods = {
  accountId: users.stripeConnectAccountId,
  encryptedDetails: users.bankAccountDetails,
  /** Set only after the payout account was changed. */
  waitUntil: users.payoutsWaitUntil,
  delayedUntil: users.payoutsDelayedUntil,
}

export async function findPayoutMethods(db: Db, userId: string) {
  const [found] = await db.select(payoutMethods).from(users).where(eq(users.id, userId))
  if (!found) throw new Error(`no seller ${userId}`)
  return found
}

/** Undefined if the user was deleted. */
export async function lockPayoutMethods(tx: Tx, userId: string) {
  const [found] = await tx
    .select({ ...payoutMethods, email: users.email })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.deletedAt)))
    .for('no key update')
  return found
}

/** Whether the seller is owed a payout that the provider has not refused before. */
export async function hasUntriedPayouts(db: Db, sellerId: string): Promise<boolean> {
  const found = await db
    .select({ id: payouts.id })
    .from(payouts)
    .where(and(eq(payouts.sellerId, sellerId), eq(payouts.status, 'owed'), eq(payouts.attempt, 0)))
    .limit(1)
  return found.length > 0
}

/** Latest first. */
/** The part of a payout that was taken for debts, from the ledger. */
const takenForDebts = sql<number>`(
  select coalesce(sum(amount_cents), 0) from ${ledgerEntries}
  where ${ledgerEntries.paymentId} = ${payouts.paymentId} and ${ledgerEntries.account} like 'debt:%'
    and ${ledgerEntries.amount} > 0)`.mapWith(Number)

export function findPayouts(
  db: Db,
  sellerId: string,
  {
    paymentIds,
    limit,
    cursor,
  }: { paymentIds?: number[] | undefined; limit: number; cursor?: number | undefined },
) {
  return db
    .select({
      id: payouts.id,
      paymentId: payouts.paymentId,
      itemTitle: offerRequests.title,
      amount: payouts.amount,
      currency: payments.currency,
      ...columns(payouts, 'method', 'status', 'createdAt', 'paidAt', 'bankFailure'),
      debtAmount: takenForDebts,
      waitUntil: payoutsWaitUntil,
    })
    .from(payouts)
    .innerJoin(payments, eq(payments.id, payouts.paymentId))
    .innerJoin(offerRequests, eq(offerRequests.offerId, payments.offerId))
    .innerJoin(users, eq(users.id, payouts.sellerId))
    .where(
      and(
        eq(payouts.sellerId, sellerId),
        paymentIds && inArray(payouts.paymentId, paymentIds),
        cursor ? lt(payouts.id, cursor) : undefined,
      ),
    )
    .orderBy(desc(payouts.id))
    .limit(limit)
}
