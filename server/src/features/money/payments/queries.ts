import { parseTransactionNumber } from '@sought/contract/transaction-number'
import type { FeeRates } from '@sought/escrow/fees'
import { and, asc, desc, eq, gt, gte, inArray, isNotNull, isNull, lt, lte, ne, or, sql } from 'drizzle-orm'
import { alias, type PgColumn } from 'drizzle-orm/pg-core'
import type { Db, Tx } from '../../../database/database.ts'
import { prepareByFilter, prepareOnce } from '../../../database/prepared.ts'
import { nextTryAt } from '../../../database/retry-backoff.ts'
import { columns } from '../../../database/rows.ts'
import {
  ledgerEntries,
  offerRequestColumns,
  offerRequests,
  offers,
  payments,
  reviews,
  users,
} from '../../../database/schema.ts'
import { publicColumns } from '../../users/public-user.ts'
import { isTurn, type Turn } from '../set-aside/set-aside.ts'
import type { Payment } from './stored-payment.ts'

/** Whether a party has reviewed the payment. */
const hasReviewed = (party: PgColumn) =>
  sql<boolean>`exists (select from ${reviews} where ${reviews.paymentId} = ${payments.id} and ${reviews.authorId} = ${party})`

/**
 * What the buyer got back or is owed, from the ledger, without goodwill and chargebacks. The provider's side is left
 * out, because it is converted into other currencies.
 */
const refundedAmount = sql<number>`(
  select coalesce(sum(amount_cents) filter (where account like 'buyer:%' and key not like 'goodwill%'), 0)
    - coalesce(sum(amount_cents) filter (where account <> 'provider' and account not like 'fx:%'
      and split_part(key, ':', 1) in ('refund', 'refund-paid', 'refund-failed', 'dashboard-refund')), 0)
  from ${ledgerEntries} where ${ledgerEntries.paymentId} = ${payments.id}
)`.mapWith(Number)

const buyers = alias(users, 'buyers')
const sellers = alias(users, 'sellers')

function selectPayments(db: Db) {
  return db
    .select({
      payment: payments,
      item: offerRequestColumns,
      buyer: publicColumns(buyers),
      seller: publicColumns(sellers),
      refundedAmount,
      rated: hasReviewed(payments.buyerId),
      reviewedBySeller: hasReviewed(payments.sellerId),
    })
    .from(payments)
    .innerJoin(offerRequests, eq(offerRequests.offerId, payments.offerId))
    .innerJoin(buyers, eq(buyers.id, payments.buyerId))
    .innerJoin(sellers, eq(sellers.id, payments.sellerId))
}

export async function findPayment(db: Db, id: number) {
  const [found] = await paymentStatement(db).execute({ id })
  return found
}

const paymentStatement = prepareOnce((db) =>
  selectPayments(db)
    .where(eq(payments.id, sql.placeholder('id')))
    .prepare(''),
)

interface PaymentFilter {
  paymentIntent?: string | undefined
  wantedItemId?: number | undefined
  search?: string | undefined
  cursor?: number | undefined
  limit: number
}

/** Payments that a user makes or receives, latest first. */
export function findPaymentsOf(db: Db, userId: string, { search, ...filter }: PaymentFilter) {
  const number = search ? parseTransactionNumber(search) : null
  const pattern = search && `%${search.replace(/[\\%_]/g, '\\$&')}%`
  const given = { ...filter, userId, pattern, number }
  return paymentsStatement(db, given).execute(given)
}

interface GivenFilter extends Omit<PaymentFilter, 'search'> {
  userId: string
  pattern: string | undefined
  number: string | null
}

const paymentsStatement = prepareByFilter((db, has: (filter: keyof GivenFilter) => boolean) => {
  const userId = sql.placeholder('userId')
  return selectPayments(db)
    .where(
      and(
        or(eq(payments.buyerId, userId), eq(payments.sellerId, userId)),
        has('paymentIntent')
          ? eq(payments.stripePaymentIntentId, sql.placeholder('paymentIntent'))
          : undefined,
        has('wantedItemId') ? eq(payments.wantedItemId, sql.placeholder('wantedItemId')) : undefined,
        has('pattern') ? matches(has('number')) : undefined,
        has('cursor') ? lt(payments.id, sql.placeholder('cursor')) : undefined,
      ),
    )
    .orderBy(desc(payments.id))
    .limit(sql.placeholder('limit'))
    .prepare('')
})

/** Matches a transaction number, or a part of the title or of the other person's name. */
function matches(isNumber: boolean) {
  const pattern = sql.placeholder('pattern')
  const other = sql`case ${payments.buyerId} when ${sql.placeholder('userId')} then concat_ws(' ', ${sellers.firstName}, ${sellers.lastName}) else concat_ws(' ', ${buyers.firstName}, ${buyers.lastName}) end`
  return or(
    isNumber ? eq(payments.transactionNumber, sql.placeholder('number')) : undefined,
    sql`${offerRequests.title} ilike ${pattern}`,
    sql`${other} ilike ${pattern}`,
  )
}

/** Locks the offer against changes until the transaction ends. */
export async function lockOffer(tx: Tx, id: number) {
  const [found] = await tx.select().from(offers).where(eq(offers.id, id)).for('share')
  return found
}

/** The buyer's accepted offers for an item, unpaid ones first. */
export function findAcceptedOffers(tx: Tx, itemId: number, buyerId: string) {
  return tx
    .select({ id: offers.id, amount: offers.amount })
    .from(offers)
    .leftJoin(payments, eq(payments.offerId, offers.id))
    .where(and(eq(offers.wantedItemId, itemId), eq(offers.buyerId, buyerId), eq(offers.status, 'accepted')))
    .orderBy(asc(sql`coalesce(${payments.status} <> 'pending', false)`), desc(offers.id))
}

/** An offer has one payment. Of two concurrent calls, one inserts it and both return it. */
export async function findOrInsertPayment(
  tx: Tx,
  offer: typeof offers.$inferSelect,
  fees: FeeRates,
): Promise<Payment> {
  const { id: offerId, wantedItemId, buyerId, sellerId, amount, currency } = offer
  const { acceptedAt, delivery, shipWithinDays } = offer
  const inserted = await tx
    .insert(payments)
    .values({
      offerId,
      wantedItemId,
      buyerId,
      sellerId,
      amount,
      currency,
      delivery,
      shipWithinDays,
      ...fees,
      sellerAcceptedAt: acceptedAt,
      createdAt: tx.now,
      updatedAt: tx.now,
      askAt: tx.now,
    })
    .onConflictDoNothing({ target: payments.offerId })
    .returning({ id: payments.id })
  if (inserted.length > 0) tx.activities.push('checkout')
  const [found] = await tx.select().from(payments).where(eq(payments.offerId, offerId)).for('update')
  if (!found) throw new Error('the inserted payment is missing')
  return found
}

type PaymentIntent = Pick<Payment, 'id' | 'stripePaymentIntentId' | 'intentAttempt'>

const unchangedIntent = ({ id, stripePaymentIntentId, intentAttempt }: PaymentIntent) =>
  and(
    eq(payments.id, id),
    eq(payments.status, 'pending'),
    eq(payments.intentAttempt, intentAttempt),
    sql`${payments.stripePaymentIntentId} is not distinct from ${stripePaymentIntentId}`,
  )

/** Saves a payment's intent unless another was saved first, and makes it due for syncing. */
export async function setIntent(tx: Tx, payment: PaymentIntent, intentId: string): Promise<void> {
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

export async function countIntentAttempt(tx: Tx, payment: PaymentIntent): Promise<void> {
  await tx
    .update(payments)
    .set({ intentAttempt: payment.intentAttempt + 1 })
    .where(unchangedIntent(payment))
}

/** Deletes a payment that the provider refused to create, unless it has an intent by now. */
export async function deletePaymentWithoutIntent(tx: Tx, payment: PaymentIntent): Promise<void> {
  await tx.delete(payments).where(and(unchangedIntent(payment), isNull(payments.stripePaymentIntentId)))
}

/** Saves data that only the parties may see: the delivery address or the handover code. Both are encrypted. */
export async function setSealedTerms(
  tx: Tx,
  id: number,
  sealed: Partial<Pick<Payment, 'deliveryAddress' | 'addressHash' | 'handoverCode'>>,
): Promise<void> {
  await tx.update(payments).set(sealed).where(eq(payments.id, id))
}

/** Where the buyer pays from, as of the last call before paying. */
export async function setPurchaseIp(tx: Tx, id: number, purchaseIp: string | null): Promise<void> {
  await tx
    .update(payments)
    .set({ purchaseIp })
    .where(and(eq(payments.id, id), sql`${payments.purchaseIp} is distinct from ${purchaseIp}`))
}

/** What the provider is told about a payment. */
export async function findIntentFacts(db: Db, id: number) {
  const [found] = await db
    .select({
      title: offerRequests.title,
      sealedAddress: payments.deliveryAddress,
      buyer: columns(users, 'id', 'createdAt', 'email', 'emailVerifiedAt', 'stripeCustomerId'),
    })
    .from(payments)
    .innerJoin(offerRequests, eq(offerRequests.offerId, payments.offerId))
    .innerJoin(users, eq(users.id, payments.buyerId))
    .where(eq(payments.id, id))
  return found
}

/** Returns whether the user has this customer now: not if the account was deleted. */
export async function setCustomer(tx: Tx, userId: string, stripeCustomerId: string): Promise<boolean> {
  const set = await tx
    .update(users)
    .set({ stripeCustomerId })
    .where(and(eq(users.id, userId), isNull(users.deletedAt)))
    .returning({ id: users.id })
  return set.length > 0
}

/** Forgets a customer that the provider no longer knows. Returns whether the user had one. */
export async function forgetCustomer(tx: Tx, userId: string): Promise<boolean> {
  const forgotten = await tx
    .update(users)
    .set({ stripeCustomerId: null })
    .where(and(eq(users.id, userId), isNotNull(users.stripeCustomerId)))
    .returning({ id: users.id })
  return forgotten.length > 0
}

/** The encrypted addresses of a buyer's payments, and where the buyer paid from. */
export function findAddressesOf(db: Db, buyerId: string) {
  return db
    .select({ id: payments.id, sealed: payments.deliveryAddress, purchaseIp: payments.purchaseIp })
    .from(payments)
    .where(
      and(
        eq(payments.buyerId, buyerId),
        or(isNotNull(payments.deliveryAddress), isNotNull(payments.purchaseIp)),
      ),
    )
    .orderBy(payments.id)
}

/** Saves the provider's state of the card step of a pending payment. */
export async function setSubmitted(
  tx: Tx,
  id: number,
  submission: Pick<Payment, 'submittedAt' | 'method'>,
): Promise<void> {
  await tx
    .update(payments)
    .set({ ...submission, updatedAt: tx.now })
    .where(eq(payments.id, id))
}

/** Payments whose money did not come in time, longest due first. */
export function findOverduePayments(
  db: Db,
  now: Date,
  { except, limit }: { except: number[]; limit: number },
) {
  return db
    .select({ id: payments.id, intentId: payments.stripePaymentIntentId, waitsFor: payments.waitsFor })
    .from(payments)
    .where(
      and(
        eq(payments.status, 'pending'),
        lte(payments.waitingUntil, now),
        sql`${payments.id} <> all(${sql.param(except)})`,
      ),
    )
    .orderBy(payments.waitingUntil)
    .limit(limit)
}
export type OverduePayment = Awaited<ReturnType<typeof findOverduePayments>>[number]

/** The columns that a release needs. Reading only these keeps large batches fast. */
const dueColumns = {
  id: payments.id,
  wantedItemId: payments.wantedItemId,
  buyerId: payments.buyerId,
  sellerId: payments.sellerId,
  amount: payments.amount,
  returned: payments.returned,
  stripePaymentIntentId: payments.stripePaymentIntentId,
  currency: payments.currency,
  status: payments.status,
  waitingUntil: payments.waitingUntil,
  waitsFor: payments.waitsFor,
  escrowHoldUntil: payments.escrowHoldUntil,
  holdExtended: payments.holdExtended,
  buyerConfirmedAt: payments.buyerConfirmedAt,
  fundsReleasedAt: payments.fundsReleasedAt,
  completedAt: payments.completedAt,
  disputedAt: payments.disputedAt,
  delivery: payments.delivery,
  shipWithinDays: payments.shipWithinDays,
  shipBy: payments.shipBy,
  shippedAt: payments.shippedAt,
  deliveredAt: payments.deliveredAt,
  platformFeeBasisPoints: payments.platformFeeBasisPoints,
  processingFeeBasisPoints: payments.processingFeeBasisPoints,
  processingFeeCents: payments.processingFeeCents,
  minimumFeeCents: payments.minimumFeeCents,
}
export type DuePayment = Pick<Payment, keyof typeof dueColumns>

/** Sellers are never paid for unshipped parcels, however long the hold. */
const isReleasedByClock = or(ne(payments.delivery, 'shipping'), isNotNull(payments.shippedAt))

/**
 * Locks payments whose hold has expired, longest due first, and skips those locked by another transaction.
 * `from` skips holds that ended before it. Otherwise each batch would scan the dead index entries of all
 * payments released so far (ADR 4).
 */
export function lockDuePayments(
  tx: Tx,
  { from, turn, limit }: { from: Date | null; turn: Turn; limit: number },
): Promise<DuePayment[]> {
  return tx
    .select(dueColumns)
    .from(payments)
    .where(
      and(
        eq(payments.status, 'held_in_escrow'),
        eq(payments.needsCheck, false),
        isReleasedByClock,
        lte(payments.escrowHoldUntil, tx.now),
        from ? gte(payments.escrowHoldUntil, from) : undefined,
        isTurn(tx, 'release', turn),
      ),
    )
    .orderBy(payments.escrowHoldUntil)
    .limit(limit)
    .for('update', { skipLocked: true })
}

interface EndingHold {
  id: number
  buyerId: string
  sellerId: string
  amount: number
  escrowHoldUntil: Date
}

/**
 * Payments whose hold ends before `until` and whose buyers were not notified yet, earliest first. `after` is the
 * last payment of the previous page.
 */
export async function findHoldsEnding(
  tx: Tx,
  { until, after, turn, limit }: { until: Date; after: EndingHold | null; turn: Turn; limit: number },
): Promise<EndingHold[]> {
  const from = after?.escrowHoldUntil ?? tx.now
  const found = await tx
    .select(columns(payments, 'id', 'buyerId', 'sellerId', 'amount', 'escrowHoldUntil'))
    .from(payments)
    .where(
      and(
        eq(payments.status, 'held_in_escrow'),
        eq(payments.needsCheck, false),
        isReleasedByClock,
        lte(payments.escrowHoldUntil, until),
        isTurn(tx, 'reminder', turn),
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

export async function completePayments(tx: Tx, ids: number[]): Promise<void> {
  await tx
    .update(payments)
    .set({
      status: 'completed',
      fundsReleasedAt: tx.now,
      completedAt: tx.now,
      endedAt: tx.now,
      handoverCode: null,
      updatedAt: tx.now,
    })
    .where(sql`${payments.id} = any(${sql.param(ids)})`)
}

/** Returns pending payments that are due for syncing, and sets their next sync time. */
export async function claimPendingPayments(tx: Tx, minSeconds: number, limit: number) {
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
    .set({ askAt: nextTryAt(payments.updatedAt, tx.now, minSeconds) })
    .where(inArray(payments.id, due))
    .returning({ id: payments.id, intentId: payments.stripePaymentIntentId })
}

/**
 * Returns refunds that are due for another attempt, and sets their next attempt. Refunds that failed at the
 * buyer's bank wait for an admin.
 */
export function claimDueRefunds(tx: Tx, minSeconds: number, limit: number) {
  const due = tx
    .select({ id: payments.id })
    .from(payments)
    .where(
      and(
        gt(payments.refundCents, 0),
        isNull(payments.refundedAt),
        isNull(payments.refundFailedAt),
        lte(payments.refundTryAt, tx.now),
      ),
    )
    .orderBy(payments.refundTryAt)
    .limit(limit)
    .for('update', { skipLocked: true })
  return tx
    .update(payments)
    .set({ refundTryAt: nextTryAt(payments.updatedAt, tx.now, minSeconds) })
    .where(inArray(payments.id, due))
    .returning({ id: payments.id })
}

/** Marks that a refund may be in progress until the provider has answered. */
export async function markRefundAsked(tx: Tx, id: number): Promise<void> {
  await tx.update(payments).set({ refundAskedAt: tx.now }).where(eq(payments.id, id))
}

/** The provider has made a refund, but not sent the money to the buyer yet. */
export async function setRefundPending(tx: Tx, id: number): Promise<void> {
  await tx.update(payments).set({ refundPending: true }).where(eq(payments.id, id))
}

/** The provider definitely made no refund, so the next attempt uses a new idempotency key. */
export async function countRefusedRefund(
  tx: Tx,
  id: number,
  { attempt, reason }: { attempt: number; reason: string | null },
): Promise<void> {
  await tx
    .update(payments)
    .set({ refundAttempt: attempt + 1, refundFailure: reason, refundAskedAt: null })
    .where(and(eq(payments.id, id), eq(payments.refundAttempt, attempt), isNull(payments.refundedAt)))
}
