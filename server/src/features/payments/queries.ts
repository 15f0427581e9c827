import type { PaymentState } from '@sought/escrow/moves'
import { and, asc, desc, eq, gt, gte, inArray, isNotNull, isNull, lt, lte, ne, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db, Tx } from '../../platform/database.ts'
import { nextTryAt } from '../../platform/retry-backoff.ts'
import { offers, payments, ratings, users, wantedItems } from '../../platform/schema.ts'

export type Payment = typeof payments.$inferSelect

const buyers = alias(users, 'buyers')
const sellers = alias(users, 'sellers')

function selectPayments(db: Db) {
  return db
    .select({
      payment: payments,
      item: wantedItems,
      buyer: buyers,
      seller: sellers,
      rated: isNotNull(ratings.paymentId).mapWith(Boolean),
    })
    .from(payments)
    .innerJoin(wantedItems, eq(wantedItems.id, payments.wantedItemId))
    .innerJoin(buyers, eq(buyers.id, payments.buyerId))
    .innerJoin(sellers, eq(sellers.id, payments.sellerId))
    .leftJoin(ratings, eq(ratings.paymentId, payments.id))
}

export async function findPayment(db: Db, id: number) {
  const [found] = await selectPayments(db).where(eq(payments.id, id))
  return found
}

interface PaymentFilter {
  paymentIntent?: string | undefined
  wantedItemId?: number | undefined
  cursor?: number | undefined
  limit: number
}

/** Payments that a person makes or receives, the latest first. */
export function findPaymentsOf(db: Db, userId: string, filter: PaymentFilter) {
  const { paymentIntent, wantedItemId, cursor, limit } = filter
  return selectPayments(db)
    .where(
      and(
        or(eq(payments.buyerId, userId), eq(payments.sellerId, userId)),
        paymentIntent ? eq(payments.stripePaymentIntentId, paymentIntent) : undefined,
        wantedItemId ? eq(payments.wantedItemId, wantedItemId) : undefined,
        cursor ? lt(payments.id, cursor) : undefined,
      ),
    )
    .orderBy(desc(payments.id))
    .limit(limit)
}

/** Keeps the offer from changing until the transaction ends. */
export async function lockOffer(tx: Tx, id: number) {
  const [found] = await tx.select().from(offers).where(eq(offers.id, id)).for('share')
  return found
}

/** The buyer's accepted offers for an item, those not paid yet first, each with its payment's status. */
export function findAcceptedOffers(tx: Tx, itemId: number, buyerId: string) {
  return tx
    .select({ id: offers.id, amount: offers.amount, paid: sql<boolean>`${payments.status} <> 'pending'` })
    .from(offers)
    .leftJoin(payments, eq(payments.offerId, offers.id))
    .where(and(eq(offers.wantedItemId, itemId), eq(offers.buyerId, buyerId), eq(offers.status, 'accepted')))
    .orderBy(asc(sql`coalesce(${payments.status} <> 'pending', false)`), desc(offers.id))
}

export async function itemExists(tx: Tx, id: number): Promise<boolean> {
  const found = await tx.select({ id: wantedItems.id }).from(wantedItems).where(eq(wantedItems.id, id))
  return found.length > 0
}

export async function findItemTitle(tx: Tx, id: number): Promise<string> {
  const [found] = await tx
    .select({ title: wantedItems.title })
    .from(wantedItems)
    .where(eq(wantedItems.id, id))
  return found?.title ?? ''
}

/** The one payment of an offer: the one that is there, or a new one. Of two at once, one is written. */
export async function findOrInsertPayment(tx: Tx, offer: typeof offers.$inferSelect): Promise<Payment> {
  const { id: offerId, wantedItemId, buyerId, sellerId, amount, acceptedAt } = offer
  await tx
    .insert(payments)
    .values({
      offerId,
      wantedItemId,
      buyerId,
      sellerId,
      amount,
      sellerAcceptedAt: acceptedAt,
      createdAt: tx.now,
      updatedAt: tx.now,
      askAt: tx.now,
    })
    .onConflictDoNothing({ target: payments.offerId })
  const [found] = await tx.select().from(payments).where(eq(payments.offerId, offerId)).for('update')
  if (!found) throw new Error('a payment that was just written is gone')
  return found
}

type Intended = Pick<Payment, 'id' | 'stripePaymentIntentId' | 'intentAttempt'>

const unchangedIntent = ({ id, stripePaymentIntentId, intentAttempt }: Intended) =>
  and(
    eq(payments.id, id),
    eq(payments.status, 'pending'),
    eq(payments.intentAttempt, intentAttempt),
    sql`${payments.stripePaymentIntentId} is not distinct from ${stripePaymentIntentId}`,
  )

/** Notes the intent of a payment, unless another came first, and has the provider asked about it soon. */
export async function setIntent(tx: Tx, payment: Intended, intentId: string): Promise<void> {
  const replaced = payment.stripePaymentIntentId !== null && payment.stripePaymentIntentId !== intentId
  await tx
    .update(payments)
    .set({
      stripePaymentIntentId: intentId,
      intentAttempt: payment.intentAttempt + (replaced ? 1 : 0),
      updatedAt: tx.now,
      askAt: tx.now,
    })
    .where(unchangedIntent(payment))
}

export async function countIntentAttempt(tx: Tx, payment: Intended): Promise<void> {
  await tx
    .update(payments)
    .set({ intentAttempt: payment.intentAttempt + 1 })
    .where(unchangedIntent(payment))
}

/** Of a payment that no card can be asked for nothing stays, unless an intent was made for it meanwhile. */
export async function deletePaymentWithoutIntent(tx: Tx, payment: Intended): Promise<void> {
  await tx.delete(payments).where(and(unchangedIntent(payment), isNull(payments.stripePaymentIntentId)))
}

/** Writes what a move has changed, if nobody else has moved the payment meanwhile. */
export async function updatePayment(tx: Tx, before: PaymentState['status'], payment: Payment): Promise<void> {
  const { id, ...fields } = payment
  const saved = await tx
    .update(payments)
    .set({ ...fields, updatedAt: tx.now })
    .where(and(eq(payments.id, id), eq(payments.status, before)))
    .returning({ id: payments.id })
  if (saved.length !== 1) throw new Error(`payment ${id} was moved under its lock`)
}

const partiesOf = {
  id: payments.id,
  buyerId: payments.buyerId,
  sellerId: payments.sellerId,
  amount: payments.amount,
}

/** The columns that a release needs. Reading only these keeps large batches fast. */
const dueColumns = {
  id: payments.id,
  wantedItemId: payments.wantedItemId,
  buyerId: payments.buyerId,
  sellerId: payments.sellerId,
  amount: payments.amount,
  status: payments.status,
  escrowHoldUntil: payments.escrowHoldUntil,
  buyerConfirmedAt: payments.buyerConfirmedAt,
  fundsReleasedAt: payments.fundsReleasedAt,
  completedAt: payments.completedAt,
  disputedAt: payments.disputedAt,
}
export type DuePayment = Pick<Payment, keyof typeof dueColumns>

/**
 * Payments whose hold has run out, the longest due first, locked; those that somebody else is moving are passed
 * over. `from` leaves out what was due before it: whoever goes through a great many need not step over the traces
 * in the index of all that they have released already (ADR 4).
 */
export function lockDuePayments(tx: Tx, limit: number, from: Date | null): Promise<DuePayment[]> {
  return tx
    .select(dueColumns)
    .from(payments)
    .where(
      and(
        eq(payments.status, 'held_in_escrow'),
        lte(payments.escrowHoldUntil, tx.now),
        from ? gte(payments.escrowHoldUntil, from) : undefined,
      ),
    )
    .orderBy(payments.escrowHoldUntil)
    .limit(limit)
    .for('update', { skipLocked: true })
}

interface Ending {
  id: number
  buyerId: string
  sellerId: string
  amount: number
  escrowHoldUntil: Date
}

/**
 * Payments whose hold ends before that moment and whose buyers were not told so yet, the earliest first. `after`
 * is the last one of the page before.
 */
export async function findHoldsEnding(
  tx: Tx,
  { until, after, limit }: { until: Date; after: Ending | null; limit: number },
): Promise<Ending[]> {
  const from = after?.escrowHoldUntil ?? tx.now
  const found = await tx
    .select({ ...partiesOf, escrowHoldUntil: payments.escrowHoldUntil })
    .from(payments)
    .where(
      and(
        eq(payments.status, 'held_in_escrow'),
        lte(payments.escrowHoldUntil, until),
        sql`(${payments.escrowHoldUntil}, ${payments.id}) > (${from.toISOString()}::timestamptz, ${after?.id ?? 0})`,
        sql`not exists (select from notifications where user_id = ${payments.buyerId}
          and key = 'escrow_ending:' || ${payments.id} || ':' || (extract(epoch from ${payments.escrowHoldUntil}) * 1000)::bigint)`,
      ),
    )
    .orderBy(payments.escrowHoldUntil, payments.id)
    .limit(limit)
  return found.flatMap((payment) =>
    payment.escrowHoldUntil ? { ...payment, escrowHoldUntil: payment.escrowHoldUntil } : [],
  )
}

/** Settles many at once: they share everything but their ids. */
export async function completePayments(tx: Tx, ids: number[]): Promise<void> {
  await tx
    .update(payments)
    .set({ status: 'completed', fundsReleasedAt: tx.now, completedAt: tx.now, updatedAt: tx.now })
    .where(sql`${payments.id} = any(${sql.param(ids)})`)
}

export async function fulfilItems(tx: Tx, ids: number[]): Promise<void> {
  await tx
    .update(wantedItems)
    .set({ status: 'fulfilled', updatedAt: tx.now })
    .where(and(sql`${wantedItems.id} = any(${sql.param(ids)})`, ne(wantedItems.status, 'fulfilled')))
}

/** Pending payments that it is time to ask the provider about; the next time is put off right away. */
export async function claimPendingPayments(tx: Tx, leastSeconds: number, limit: number) {
  const due = tx
    .select({ id: payments.id })
    .from(payments)
    .where(
      and(
        eq(payments.status, 'pending'),
        lte(payments.askAt, tx.now),
        isNotNull(payments.stripePaymentIntentId),
      ),
    )
    .orderBy(payments.askAt)
    .limit(limit)
    .for('update', { skipLocked: true })
  return tx
    .update(payments)
    .set({ askAt: nextTryAt(payments.updatedAt, tx.now, leastSeconds) })
    .where(inArray(payments.id, due))
    .returning({ intentId: payments.stripePaymentIntentId })
}

/** Refunds that a ruling gave and the provider has not made yet. */
export function findDueRefunds(tx: Tx, limit: number) {
  return tx
    .select({ id: payments.id })
    .from(payments)
    .where(and(gt(payments.refundCents, 0), isNull(payments.refundedAt)))
    .orderBy(payments.id)
    .limit(limit)
}

export async function markRefunded(tx: Tx, id: number): Promise<void> {
  await tx.update(payments).set({ refundedAt: tx.now, updatedAt: tx.now }).where(eq(payments.id, id))
}

/** A refusal is certain: the next try is another one, with a key of its own. */
export async function countRefusedRefund(tx: Tx, id: number, attempt: number): Promise<void> {
  await tx
    .update(payments)
    .set({ refundAttempt: attempt + 1 })
    .where(and(eq(payments.id, id), eq(payments.refundAttempt, attempt), isNull(payments.refundedAt)))
}
