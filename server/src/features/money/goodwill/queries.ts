import { INTEGER_MAX } from '@sought/contract/fields'
import { and, desc, eq, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db, Tx } from '../../../database/database.ts'
import { findRow } from '../../../database/rows.ts'
import { goodwillPayments, offerRequests, payments, users } from '../../../database/schema.ts'
import { publicColumns } from '../../users/public-user.ts'

export type Goodwill = typeof goodwillPayments.$inferSelect

export async function insertGoodwill(
  tx: Tx,
  goodwill: Omit<typeof goodwillPayments.$inferInsert, 'id' | 'createdAt'>,
): Promise<Goodwill> {
  const [inserted] = await tx
    .insert(goodwillPayments)
    .values({ ...goodwill, createdAt: tx.now })
    .returning()
  if (!inserted) throw new Error('no goodwill payment was inserted')
  return inserted
}

/** Serializes grants, because each depends on the sum of those before it. */
export async function lockGrants(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('goodwill', 0))`)
}

const COUNTED_DAYS = 30

/**
 * What was given within 30 days for the deal, to the recipient and by the admin: the highest of the three. And what
 * the deal got in total, with payments that wait, all in its currency. Overturned rulings do not count: two admins decided.
 */
export async function sumGoodwill(
  tx: Tx,
  goodwill: Pick<Goodwill, 'paymentId' | 'currency' | 'recipientId' | 'requestedBy'>,
) {
  const { paymentId, currency, recipientId, requestedBy } = goodwill
  const { amountCents, status, decidedAt, createdAt } = goodwillPayments
  const ofDeal = eq(goodwillPayments.paymentId, paymentId)
  const toRecipient = eq(goodwillPayments.recipientId, recipientId)
  const byAdmin = eq(goodwillPayments.requestedBy, requestedBy)
  const since = new Date(tx.now.getTime() - COUNTED_DAYS * 86_400_000).toISOString()
  const isCounted = sql`${status} = 'done' and coalesce(${decidedAt}, ${createdAt}) > ${since}::timestamptz`
  const sumWhere = (condition: SQL) =>
    sql<number>`coalesce(sum(${amountCents}) filter (where ${condition}), 0)`.mapWith(Number)
  const [sums] = await tx
    .select({
      ofDealCents: sumWhere(sql`${ofDeal} and ${status} <> 'rejected'`),
      highestCents: sql<number>`greatest(${sumWhere(sql`${ofDeal} and ${isCounted}`)},
        ${sumWhere(sql`${toRecipient} and ${isCounted}`)}, ${sumWhere(sql`${byAdmin} and ${isCounted}`)})`.mapWith(
        Number,
      ),
    })
    .from(goodwillPayments)
    .where(
      and(
        eq(goodwillPayments.currency, currency),
        isNull(goodwillPayments.appealId),
        or(ofDeal, toRecipient, byAdmin),
      ),
    )
  if (!sums) throw new Error('an aggregate returned no row')
  return sums
}

export async function updateGoodwill(tx: Tx, id: number, change: Partial<Goodwill>): Promise<void> {
  await tx.update(goodwillPayments).set(change).where(eq(goodwillPayments.id, id))
}

/** Latest first. */
export function findReceived(db: Db, recipientId: string) {
  const { paymentId, amountCents, createdAt, paidAt, id, status } = goodwillPayments
  return db
    .select({ paymentId, amountCents, createdAt, paidAt })
    .from(goodwillPayments)
    .where(and(eq(goodwillPayments.recipientId, recipientId), eq(status, 'done')))
    .orderBy(desc(id))
}

/** The columns that a goodwill payment depends on. No lock is needed: a charged payment stays charged. */
export async function findPayment(tx: Tx, id: number) {
  return findRow(tx, payments, { id }, ['id', 'buyerId', 'sellerId', 'status', 'currency'])
}

const recipients = alias(users, 'recipients')
const requesters = alias(users, 'requesters')
const deciders = alias(users, 'deciders')

const rank = sql<number>`${goodwillPayments.id}::bigint
  + case when ${goodwillPayments.status} = 'waiting' then ${INTEGER_MAX}::bigint + 1 else 0 end`.mapWith(
  Number,
)

const isUnpaid = and(eq(goodwillPayments.status, 'done'), isNull(goodwillPayments.paidAt))

/** The same conditions as in the indexes. */
const conditions = {
  waiting: sql`${goodwillPayments.status} = 'waiting'`,
  unpaid: isUnpaid,
  closed: or(eq(goodwillPayments.status, 'rejected'), sql`${goodwillPayments.paidAt} is not null`),
} as const satisfies Record<string, SQL | undefined>

interface GoodwillFilter {
  id?: number
  status?: keyof typeof conditions | undefined
  cursor?: number | undefined
  limit: number
}

export function findGoodwill(db: Db, { id, status, cursor, limit }: GoodwillFilter) {
  return db
    .select({
      goodwill: goodwillPayments,
      rank,
      recipient: { ...publicColumns(recipients), email: recipients.email },
      requester: publicColumns(requesters),
      decider: publicColumns(deciders),
      currency: payments.currency,
      transactionNumber: payments.transactionNumber,
      itemTitle: offerRequests.title,
    })
    .from(goodwillPayments)
    .innerJoin(payments, eq(payments.id, goodwillPayments.paymentId))
    .innerJoin(offerRequests, eq(offerRequests.offerId, payments.offerId))
    .innerJoin(recipients, eq(recipients.id, goodwillPayments.recipientId))
    .innerJoin(requesters, eq(requesters.id, goodwillPayments.requestedBy))
    .leftJoin(deciders, eq(deciders.id, goodwillPayments.decidedBy))
    .where(
      and(
        id ? eq(goodwillPayments.id, id) : undefined,
        status && conditions[status],
        cursor ? lt(rank, cursor) : undefined,
      ),
    )
    .orderBy(desc(rank))
    .limit(limit)
}

export async function lockGoodwill(tx: Tx, id: number): Promise<Goodwill | undefined> {
  const [found] = await tx.select().from(goodwillPayments).where(eq(goodwillPayments.id, id)).for('update')
  return found
}
