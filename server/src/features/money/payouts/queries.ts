import { type ManualPayout, UNCLAIMED_AFTER_DAYS } from '@sought/contract/payouts'
import type { LossCause } from '@sought/escrow/debts'
import { and, asc, count, desc, eq, gt, inArray, isNotNull, isNull, like, lt, lte, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../database/database.ts'
import { nextTryAt } from '../../../database/retry-backoff.ts'
import { findRow, hasRow, updateRows } from '../../../database/rows.ts'
import {
  chargebacks,
  ledgerEntries,
  offerRequests,
  payments,
  payoutSteps,
  payouts,
  takeBacks,
  users,
} from '../../../database/schema.ts'
import { payoutsWaitUntil } from './payouts-wait.ts'

export type Payout = typeof payouts.$inferSelect

const DAY_MS = 86_400_000

/** Returns those payouts whose seller has a payout method. */
export async function insertPayouts(
  tx: Tx,
  rows: { paymentId: number; sellerId: string; amount: number; currency: string }[],
): Promise<{ id: number }[]> {
  if (rows.length === 0) return []
  const now = sql`${tx.now.toISOString()}::timestamptz`
  const { rows: payable } = await tx.execute<{ id: number }>(sql`
    with owed as (
      insert into ${payouts} (payment_id, seller_id, amount, currency, created_at, updated_at, try_at)
      select "paymentId", "sellerId", amount, currency, ${now}, ${now}, ${now}
      from json_to_recordset(${JSON.stringify(rows)})
        as payout ("paymentId" integer, "sellerId" text, amount bigint, currency text)
      returning id, seller_id
    )
    select owed.id from owed join users on users.id = owed.seller_id
    where coalesce(users.stripe_connect_account_id, users.bank_account_details) is not null
    order by owed.id`)
  return payable
}

/** A payout with the data that a transfer needs. */
export async function findPayout(db: Db, id: number) {
  const [found] = await db
    .select({
      payout: payouts,
      intentId: payments.stripePaymentIntentId,
      currency: payments.currency,
      accountId: users.stripeConnectAccountId,
      hasBankDetails: sql<boolean>`${users.bankAccountDetails} is not null`,
    })
    .from(payouts)
    .innerJoin(payments, eq(payments.id, payouts.paymentId))
    .innerJoin(users, eq(users.id, payouts.sellerId))
    .where(eq(payouts.id, id))
  if (!found) return undefined
  const { payout, ...needed } = found
  return { ...payout, ...needed }
}

/** Locks the payment first, like provider events do. Otherwise the two could deadlock. */
export async function lockPayout(tx: Tx, id: number): Promise<Payout | undefined> {
  await lockPaymentOf(tx, id)
  const [found] = await tx.select().from(payouts).where(eq(payouts.id, id)).for('update')
  return found
}

async function lockPaymentOf(tx: Tx, payoutId: number): Promise<void> {
  await tx
    .select({ id: payments.id })
    .from(payments)
    .innerJoin(payouts, eq(payouts.paymentId, payments.id))
    .where(eq(payouts.id, payoutId))
    .for('key share', { of: payments })
}

export async function hasOpenChargeback(tx: Tx, paymentId: number): Promise<boolean> {
  return hasRow(tx, chargebacks, { paymentId, closedAt: null })
}

/** A reversed payout: frozen until it is sent again, as a new attempt. */
export const unpaidAgain = ({ attempt }: Payout) =>
  ({ status: 'frozen', paidAt: null, destination: null, providerId: null, attempt: attempt + 1 }) as const

/** The amount that the last attempt sent, from the ledger. */
export async function findPaidCents(tx: Tx, { paymentId, attempt }: Payout): Promise<number> {
  const [found] = await tx
    .select({ cents: ledgerEntries.amount })
    .from(ledgerEntries)
    .where(
      and(eq(ledgerEntries.key, `payout:${paymentId}:${attempt}`), eq(ledgerEntries.account, 'provider')),
    )
  if (!found) throw new Error(`payment ${paymentId} has no payout of attempt ${attempt}`)
  return found.cents
}

/** What a reversal took back, from the ledger. */
export async function findTakenBackCents(tx: Tx, key: string): Promise<number> {
  const [found] = await tx
    .select({ cents: ledgerEntries.amount })
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.key, key), like(ledgerEntries.account, 'losses:%')))
  return found?.cents ?? 0
}

/** The amount still to be sent: the whole payout, or the reversed part. */
export const dueCents = ({ amount, reversedCents }: Pick<Payout, 'amount' | 'reversedCents'>) =>
  reversedCents || amount

export async function findPaymentOf(tx: Tx, { paymentId }: Pick<Payout, 'paymentId'>) {
  const found = await findRow(tx, payments, { id: paymentId }, [
    'buyerId',
    'sellerId',
    'bankDecides',
    'currency',
  ])
  if (!found) throw new Error(`payment ${paymentId} of a payout is missing`)
  return found
}

/**
 * Delays a new seller's payouts until this many days after the first release. The current setting applies,
 * even if it changed later.
 */
export async function delayNewSeller(tx: Tx, sellerId: string, days: number): Promise<void> {
  const first = tx
    .select({ at: sql`min(${payouts.createdAt})` })
    .from(payouts)
    .where(eq(payouts.sellerId, sellerId))
  const until = days === 0 ? sql`null` : sql`(${first}) + ${days} * interval '1 day'`
  await tx
    .update(users)
    .set({ payoutsDelayedUntil: until })
    .where(and(eq(users.id, sellerId), sql`${users.payoutsDelayedUntil} is distinct from ${until}`))
}

/** The current destination of a payout, and until when it waits. */
export async function findPayoutTarget(tx: Tx, { id }: Pick<Payout, 'id'>) {
  const [found] = await tx
    .select({ accountId: users.stripeConnectAccountId, waitUntil: payoutsWaitUntil })
    .from(payouts)
    .innerJoin(payments, eq(payments.id, payouts.paymentId))
    .innerJoin(users, eq(users.id, payouts.sellerId))
    .where(eq(payouts.id, id))
  if (!found) throw new Error(`no payout ${id}`)
  return found
}

export async function findEncryptedBankDetails(tx: Tx, sellerId: string): Promise<string | null> {
  const [found] = await tx
    .select({ sealed: users.bankAccountDetails })
    .from(users)
    .where(eq(users.id, sellerId))
  return found?.sealed ?? null
}

export async function updatePayout(tx: Tx, id: number, change: Partial<Payout>): Promise<void> {
  await updateRows(tx, payouts, { id }, { ...change, updatedAt: tx.now })
}

const toBeSent = inArray(payouts.status, ['owed', 'sending'])
const unpaid = and(toBeSent, sql`${payouts.method} is distinct from 'manual'`)

export function makeUnpaidDue(tx: Tx, sellerId: string) {
  return tx
    .update(payouts)
    .set({ tryAt: tx.now, updatedAt: tx.now })
    .where(and(eq(payouts.sellerId, sellerId), toBeSent))
    .returning({ id: payouts.id })
}

export function findOwed(tx: Tx, sellerId: string) {
  return tx
    .select({ id: payouts.id })
    .from(payouts)
    .where(and(eq(payouts.sellerId, sellerId), eq(payouts.status, 'owed')))
}

/** Returns unpaid payouts that are due for another attempt, and sets their next attempt. */
export function claimUnpaidPayouts(tx: Tx, minSeconds: number, limit: number) {
  const due = tx
    .select({ id: payouts.id })
    .from(payouts)
    .where(and(unpaid, lte(payouts.tryAt, tx.now)))
    .orderBy(payouts.tryAt)
    .limit(limit)
    .for('update', { skipLocked: true })
  return tx
    .update(payouts)
    .set({ tryAt: nextTryAt(payouts.createdAt, tx.now, minSeconds) })
    .where(inArray(payouts.id, due))
    .returning({ id: payouts.id })
}

interface AdminFilter {
  id?: number
  status?: ManualPayout['status']
  cursor?: number | undefined
  limit: number
}

/** Owed to sellers who have set up no way to be paid. */
const hasNoTarget = and(
  eq(payouts.status, 'owed'),
  isNull(payouts.method),
  isNull(users.stripeConnectAccountId),
  isNull(users.bankAccountDetails),
  isNull(users.deletedAt),
)

const isUnclaimed = (now: Date) =>
  and(hasNoTarget, lte(payouts.createdAt, new Date(now.getTime() - UNCLAIMED_AFTER_DAYS * DAY_MS)))

export async function countUnclaimedPayouts(db: Db, now: Date): Promise<number> {
  const [found] = await db
    .select({ unclaimed: count() })
    .from(payouts)
    .innerJoin(users, eq(users.id, payouts.sellerId))
    .where(isUnclaimed(now))
  return found?.unclaimed ?? 0
}

/**
 * Payouts whose sellers have no way to be paid and were not reminded of the latest number of days yet, by id. The days
 * double from `firstDays` on.
 */
export function findToClaim(
  tx: Tx,
  event: string,
  { firstDays, after, limit }: { firstDays: number; after: number; limit: number },
) {
  const now = sql`${tx.now.toISOString()}::timestamptz`
  const age = sql`extract(epoch from ${now} - ${payouts.createdAt}) / ${firstDays * 86_400}`
  const days = sql<number>`(${firstDays} * power(2, floor(log(2, ${age}))))::integer`
  return tx
    .select({ payout: payouts, days })
    .from(payouts)
    .innerJoin(users, eq(users.id, payouts.sellerId))
    .where(
      and(
        hasNoTarget,
        gt(payouts.id, after),
        lte(payouts.createdAt, new Date(tx.now.getTime() - firstDays * DAY_MS)),
        sql`not exists (select from notifications where user_id = ${payouts.sellerId}
          and key = ${event}::text || ':' || ${payouts.paymentId} || ':' || ${days})`,
      ),
    )
    .orderBy(payouts.id)
    .limit(limit)
}

/** Latest first. */
export function findAdminPayouts(db: Db, { id, status, cursor, limit }: AdminFilter, now: Date) {
  return db
    .select({
      payout: payouts,
      seller: users,
      waitUntil: payoutsWaitUntil,
      itemTitle: offerRequests.title,
      currency: payments.currency,
      transactionNumber: payments.transactionNumber,
    })
    .from(payouts)
    .innerJoin(payments, eq(payments.id, payouts.paymentId))
    .innerJoin(offerRequests, eq(offerRequests.offerId, payments.offerId))
    .innerJoin(users, eq(users.id, payouts.sellerId))
    .where(
      and(
        ...(status === 'unclaimed'
          ? [isUnclaimed(now)]
          : [
              // Payouts that were reversed or failed at the bank were sent by transfer.
              id || status === 'reversed' || status === 'failed' ? undefined : eq(payouts.method, 'manual'),
              id ? eq(payouts.id, id) : undefined,
              status ? eq(payouts.status, status === 'failed' ? 'paid' : status) : undefined,
              status === 'failed' ? isNotNull(payouts.bankFailure) : undefined,
            ]),
        cursor ? lt(payouts.id, cursor) : undefined,
      ),
    )
    .orderBy(desc(payouts.id))
    .limit(limit)
}

/** The number of manual payouts that an admin can pay now. */
export async function countPayablePayouts(db: Db, now: Date): Promise<number> {
  const [found] = await db
    .select({ payable: count() })
    .from(payouts)
    .innerJoin(payments, eq(payments.id, payouts.paymentId))
    .innerJoin(users, eq(users.id, payouts.sellerId))
    .where(
      and(
        eq(payouts.method, 'manual'),
        eq(payouts.status, 'owed'),
        sql`coalesce(${payoutsWaitUntil} <= ${now.toISOString()}::timestamptz, true)`,
      ),
    )
  return found?.payable ?? 0
}

export async function insertPayoutStep(
  tx: Tx,
  step: Omit<typeof payoutSteps.$inferInsert, 'id' | 'createdAt'>,
): Promise<void> {
  await tx.insert(payoutSteps).values({ ...step, createdAt: tx.now })
}

/** Whether an admin has looked up the seller's bank details for this payout. */
export async function hasLookUp(tx: Tx, payoutId: number): Promise<boolean> {
  return hasRow(tx, payoutSteps, { payoutId, action: 'looked_up' })
}

/** Admins' steps on these payouts, earliest first. */
export function findPayoutSteps(db: Db, payoutIds: number[]) {
  return db
    .select({ step: payoutSteps, admin: users })
    .from(payoutSteps)
    .innerJoin(users, eq(users.id, payoutSteps.adminId))
    .where(inArray(payoutSteps.payoutId, payoutIds))
    .orderBy(asc(payoutSteps.id))
}

/** Null if the loss waits already. */
export async function insertTakeBack(
  tx: Tx,
  paymentId: number,
  { reason, causeId }: LossCause,
): Promise<{ id: number; createdAt: Date } | null> {
  const [inserted] = await tx
    .insert(takeBacks)
    .values({ paymentId, reason, causeId, createdAt: tx.now, tryAt: tx.now })
    .onConflictDoNothing({ target: takeBacks.causeId })
    .returning()
  return inserted ?? null
}

/** The losses of a payment that are to be taken back, in their order. */
export function findTakeBacks(tx: Tx, paymentId: number) {
  return tx.select().from(takeBacks).where(eq(takeBacks.paymentId, paymentId)).orderBy(asc(takeBacks.id))
}

/** Stores what the provider is asked to reverse, so that every attempt asks for the same. */
export async function setAsked(
  tx: Tx,
  { id }: { id: number },
  { providerId: transferId, destination: accountId }: Payout,
  askedCents: number,
): Promise<void> {
  await updateRows(tx, takeBacks, { id }, { askedCents, transferId, accountId })
}

/** Returns reversals that are due for another attempt, and sets their next attempt. */
export function claimTakeBacks(tx: Tx, minSeconds: number, limit: number) {
  const due = tx
    .select({ id: takeBacks.id })
    .from(takeBacks)
    .where(and(isNotNull(takeBacks.askedCents), lte(takeBacks.tryAt, tx.now)))
    .orderBy(takeBacks.tryAt)
    .limit(limit)
    .for('update', { skipLocked: true })
  return tx
    .update(takeBacks)
    .set({ tryAt: nextTryAt(takeBacks.createdAt, tx.now, minSeconds) })
    .where(inArray(takeBacks.id, due))
    .returning({ id: takeBacks.id })
}
