import { and, asc, eq, gt, gte, inArray, lt, max, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db } from '../../../database/database.ts'
import { ledgerEntries, offerRequests, payments, users } from '../../../database/schema.ts'
import type { Period } from './year.ts'

const buyers = alias(users, 'buyers')
const sellers = alias(users, 'sellers')

/** The highest id. Tables are read by id, so the progress is the current id divided by this. */
export async function findLastPayment(db: Db): Promise<number> {
  const [found] = await db.select({ id: max(payments.id) }).from(payments)
  return found?.id ?? 0
}

export async function findLastEntry(db: Db): Promise<number> {
  const [found] = await db.select({ id: max(ledgerEntries.id) }).from(ledgerEntries)
  return found?.id ?? 0
}

/** The sum of a payment's ledger entries in its currency that match the condition. */
const booked = (condition: ReturnType<typeof sql>) =>
  sql<number>`coalesce((select sum(amount_cents) from ${ledgerEntries}
    where ${ledgerEntries.paymentId} = ${payments.id} and ${ledgerEntries.currency} = ${payments.currency}
      and ${condition}), 0)`.mapWith(Number)

/** When the card was charged. Old payments have only their creation time. */
const paidAt = sql<Date>`coalesce(${payments.chargedAt}, ${payments.createdAt})`.mapWith(payments.createdAt)

/** Payments whose card was charged in the period. */
export function findPayments(db: Db, { from, until }: Period, after: number, limit: number) {
  return db
    .select({
      payment: payments,
      paidAt,
      itemTitle: offerRequests.title,
      category: offerRequests.category,
      buyer: buyers,
      seller: sellers,
      platformFee: booked(sql`account = 'fees:platform'`),
      processingFee: booked(sql`account = 'fees:processing'`),
      providerFee: booked(sql`account = 'fees:provider'`),
      // All money sent to the buyer, minus what came back.
      returned: booked(sql`account = 'provider' and split_part(key, ':', 1) in
        ('refund', 'refund-paid', 'refund-failed', 'dashboard-refund', 'chargeback')`),
      paidOut: booked(sql`account = 'provider' and split_part(key, ':', 1) in
        ('payout', 'payout-undone', 'reversal', 'chargeback-reversal', 'refund-reversal')`),
      inEscrow: booked(sql`account = 'escrow:' || ${payments.id}`),
      goodwill: booked(sql`account = 'platform:goodwill'`),
    })
    .from(payments)
    .innerJoin(offerRequests, eq(offerRequests.offerId, payments.offerId))
    .innerJoin(buyers, eq(buyers.id, payments.buyerId))
    .innerJoin(sellers, eq(sellers.id, payments.sellerId))
    .where(
      and(
        gt(payments.id, after),
        sql`${payments.status} <> 'pending'`,
        sql`coalesce(${payments.chargedAt}, ${payments.createdAt}) >= ${from.toISOString()}::timestamptz`,
        sql`coalesce(${payments.chargedAt}, ${payments.createdAt}) < ${until.toISOString()}::timestamptz`,
      ),
    )
    .orderBy(asc(payments.id))
    .limit(limit)
}

const FEE_ACCOUNTS = ['fees:platform', 'fees:processing', 'fees:provider']

export function findFeeEntries(db: Db, { from, until }: Period, after: number, limit: number) {
  return db
    .select({
      entry: ledgerEntries,
      transactionNumber: payments.transactionNumber,
    })
    .from(ledgerEntries)
    .innerJoin(payments, eq(payments.id, ledgerEntries.paymentId))
    .where(
      and(
        gt(ledgerEntries.id, after),
        inArray(ledgerEntries.account, FEE_ACCOUNTS),
        gte(ledgerEntries.createdAt, from),
        lt(ledgerEntries.createdAt, until),
      ),
    )
    .orderBy(asc(ledgerEntries.id))
    .limit(limit)
}

/** The next page of sellers, by id. */
export function findSellers(db: Db, after: string, limit: number) {
  return db
    .select()
    .from(users)
    .where(
      and(
        gt(users.id, after),
        sql`exists (select from ${payments} where ${payments.sellerId} = ${users.id}
          and ${payments.status} <> 'pending')`,
      ),
    )
    .orderBy(asc(users.id))
    .limit(limit)
}

export interface SellerSum extends Record<string, unknown> {
  sellerId: string
  currency: string
  /** From 1. */
  month: number
  /** The part of the keys before the first colon. */
  posting: string
  postings: number
  /** The change of the amount owed to the seller. */
  owedCents: number
  /** The fees kept in the same postings. */
  feeCents: number
  /** The amount taken back from the seller for a chargeback or a refund. */
  takenBackCents: number
}

/** The sums posted for sellers in a period, by month and kind of posting. */
export async function sumSellers(db: Db, { from, until }: Period, sellerIds: string[]): Promise<SellerSum[]> {
  const { rows } = await db.execute<SellerSum>(sql`
    with posting as (
      select payment.seller_id, entry.currency, entry.key, min(entry.created_at) as at,
        sum(amount_cents) filter (where account = 'seller:' || payment.seller_id) as owed,
        sum(amount_cents) filter (where account in ('fees:platform', 'fees:processing')) as fees,
        -sum(amount_cents) filter (where account = 'provider' and key ~ '^(chargeback|refund)-reversal:') as taken_back
      from ${payments} payment join ${ledgerEntries} entry on entry.payment_id = payment.id
      where payment.seller_id = any(${sql.param(sellerIds)})
        and entry.created_at >= ${from.toISOString()}::timestamptz
        and entry.created_at < ${until.toISOString()}::timestamptz
      group by payment.seller_id, entry.currency, entry.key
    )
    select seller_id as "sellerId", currency, extract(month from at at time zone 'UTC')::int as month,
      split_part(key, ':', 1) as posting, count(*)::int as postings, coalesce(sum(owed), 0)::float8 as "owedCents",
      coalesce(sum(fees), 0)::float8 as "feeCents", coalesce(sum(taken_back), 0)::float8 as "takenBackCents"
    from posting where owed <> 0 or fees <> 0 or taken_back <> 0
    group by 1, 2, 3, 4 order by 1, 2, 3, 4`)
  return rows
}
