import { and, asc, desc, eq, gte, isNotNull, lt, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db, Tx } from '../../../database/database.ts'
import { columns } from '../../../database/rows.ts'
import {
  documents,
  ledgerEntries,
  offerRequests,
  payments,
  payouts,
  users,
} from '../../../database/schema.ts'
import type { LedgerEntry } from './read-postings.ts'

const buyers = alias(users, 'buyers')
const sellers = alias(users, 'sellers')

export async function findPayment(db: Db, id: number) {
  const [found] = await db
    .select({
      payment: payments,
      itemTitle: offerRequests.title,
      itemDescription: offerRequests.description,
      buyer: buyers,
      seller: sellers,
    })
    .from(payments)
    .innerJoin(offerRequests, eq(offerRequests.offerId, payments.offerId))
    .innerJoin(buyers, eq(buyers.id, payments.buyerId))
    .innerJoin(sellers, eq(sellers.id, payments.sellerId))
    .where(eq(payments.id, id))
  return found
}

const entryColumns = {
  ...columns(ledgerEntries, 'id', 'key', 'paymentId', 'account', 'amount'),
  at: ledgerEntries.createdAt,
}

/** What the provider converted or took in another currency is on no document. */
const isOfDeal = eq(ledgerEntries.currency, payments.currency)

export function findEntries(db: Db, paymentId: number): Promise<LedgerEntry[]> {
  return db
    .select(entryColumns)
    .from(ledgerEntries)
    .innerJoin(payments, eq(payments.id, ledgerEntries.paymentId))
    .where(and(eq(ledgerEntries.paymentId, paymentId), isOfDeal))
    .orderBy(asc(ledgerEntries.id))
}

interface Period {
  from: Date
  until: Date
}

/** The entries of all sales of a seller in a period, each with what a statement says about its payment. */
export function findSellerEntries(db: Db, sellerId: string, { from, until }: Period) {
  return db
    .select({
      entry: entryColumns,
      payment: payments,
      itemTitle: offerRequests.title,
      buyer: buyers,
      payoutMethod: payouts.method,
    })
    .from(ledgerEntries)
    .innerJoin(payments, eq(payments.id, ledgerEntries.paymentId))
    .innerJoin(offerRequests, eq(offerRequests.offerId, payments.offerId))
    .innerJoin(buyers, eq(buyers.id, payments.buyerId))
    .leftJoin(payouts, eq(payouts.paymentId, payments.id))
    .where(
      and(
        eq(payments.sellerId, sellerId),
        isOfDeal,
        gte(ledgerEntries.createdAt, from),
        lt(ledgerEntries.createdAt, until),
      ),
    )
    .orderBy(asc(ledgerEntries.createdAt), asc(ledgerEntries.id))
}

/** The amount owed to a seller at a time, by currency. */
export async function findBalances(db: Db, sellerId: string, at: Date) {
  const owed = sql<string>`sum(${ledgerEntries.amount})`
  const found = await db
    .select({ currency: payments.currency, owed })
    .from(ledgerEntries)
    .innerJoin(payments, eq(payments.id, ledgerEntries.paymentId))
    .where(and(eq(ledgerEntries.account, `seller:${sellerId}`), isOfDeal, lt(ledgerEntries.createdAt, at)))
    .groupBy(payments.currency)
    .having(sql`${owed} <> 0`)
  return found.map(({ currency, owed }) => ({ currency, owedCents: Number(owed) }))
}

/** The months in which `readLine` finds a line for the seller's statement, latest first. */
export async function findMonths(db: Db, sellerId: string): Promise<string[]> {
  const month = sql<string>`to_char(${ledgerEntries.createdAt} at time zone 'UTC', 'YYYY-MM')`
  const found = await db
    .selectDistinct({ month })
    .from(ledgerEntries)
    .innerJoin(payments, eq(payments.id, ledgerEntries.paymentId))
    .where(
      and(
        eq(payments.sellerId, sellerId),
        sql`(${ledgerEntries.account} = ${`seller:${sellerId}`}
          or ${ledgerEntries.account} like 'escrow:%' and ${ledgerEntries.key} not like 'hold:%'
          or ${ledgerEntries.account} = 'provider' and ${ledgerEntries.key} ~ '^(chargeback|refund)-reversal:'
          or ${ledgerEntries.account} like 'fees:p%' and ${ledgerEntries.key} like 'released-refund:%')`,
      ),
    )
    .orderBy(desc(month))
  return found.map((row) => row.month)
}

export type Document = typeof documents.$inferSelect
export type Subject = { paymentId: number } | { sellerId: string; month: string }

const isAbout = (subject: Subject) =>
  'paymentId' in subject
    ? eq(documents.paymentId, subject.paymentId)
    : and(eq(documents.sellerId, subject.sellerId), eq(documents.month, subject.month))

export async function findDocument(db: Db, subject: Subject): Promise<Document | undefined> {
  const [found] = await db.select().from(documents).where(isAbout(subject))
  return found
}

/** Lets only one transaction at a time add to a series, so that its numbers have no gaps. */
export async function lockSeries(tx: Tx, series: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${series}, 0))`)
}

/** Adds a document to a locked series, unless it was issued before. */
export async function insertDocument(tx: Tx, series: string, subject: Subject): Promise<void> {
  const [latest] = await tx
    .select({ sequence: documents.sequence })
    .from(documents)
    .where(eq(documents.series, series))
    .orderBy(desc(documents.sequence))
    .limit(1)
  await tx
    .insert(documents)
    .values({ series, sequence: (latest?.sequence ?? 0) + 1, ...subject, issuedAt: tx.now })
    .onConflictDoNothing()
}

/** The payments for which a buyer has a receipt, latest first. */
export async function findReceiptsOf(db: Db, buyerId: string) {
  return db
    .select({ paymentId: payments.id })
    .from(documents)
    .innerJoin(payments, eq(payments.id, documents.paymentId))
    .where(eq(payments.buyerId, buyerId))
    .orderBy(desc(payments.id))
}

/** The months for which a seller has a numbered statement, latest first. */
export async function findStatementsOf(db: Db, sellerId: string) {
  return db
    .select({ month: sql<string>`${documents.month}` })
    .from(documents)
    .where(and(eq(documents.sellerId, sellerId), isNotNull(documents.month)))
    .orderBy(desc(documents.month))
}
