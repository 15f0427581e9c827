import type { Currency } from '@sought/contract/platform'
import { and, desc, eq, lt, ne, sql } from 'drizzle-orm'
import type { Db } from '../../../database/database.ts'
import { offerRequests, payments, wantedItems } from '../../../database/schema.ts'

/**
 * Purchases are all payments that were charged, whatever happened later. Spent is the sum paid in the given
 * currency, minus refunds that were made or are due (ADR 16).
 */
export async function findStats(db: Db, userId: string, currency: Currency) {
  const { rows } = await db.execute<{ requests: string; purchases: string; spent: string }>(sql`
    select
      (select count(*) from ${wantedItems} where user_id = ${userId}) as requests,
      count(*) as purchases,
      coalesce(sum(amount - coalesce(refund_cents, 0)) filter (where currency = ${currency}), 0) as spent
    from ${payments} where buyer_id = ${userId} and status <> 'pending'`)
  const [found] = rows
  return {
    totalWantedItems: Number(found?.requests),
    totalPurchases: Number(found?.purchases),
    totalSpent: Number(found?.spent),
  }
}

/** A person's purchases, latest first. */
export function findPurchases(
  db: Db,
  userId: string,
  { limit, cursor }: { limit: number; cursor?: number | undefined },
) {
  return db
    .select({
      id: payments.id,
      title: offerRequests.title,
      status: payments.status,
      amount: payments.amount,
      currency: payments.currency,
    })
    .from(payments)
    .innerJoin(offerRequests, eq(offerRequests.offerId, payments.offerId))
    .where(
      and(
        eq(payments.buyerId, userId),
        ne(payments.status, 'pending'),
        cursor ? lt(payments.id, cursor) : undefined,
      ),
    )
    .orderBy(desc(payments.id))
    .limit(limit)
}
