import { partyIn } from '@sought/escrow/moves'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { refuse } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../database/database.ts'
import { prepareOnce } from '../../../database/prepared.ts'
import { payments } from '../../../database/schema.ts'
import { announce } from '../../../http/events.ts'
import type { User } from '../../../http/session.ts'

export type Payment = typeof payments.$inferSelect

export async function lockPayment(tx: Tx, id: number): Promise<Payment | undefined> {
  const [found] = await lockById(tx).execute({ id })
  return found
}

export async function lockPaymentByIntent(tx: Tx, intentId: string): Promise<Payment | undefined> {
  const [found] = await lockByIntent(tx).execute({ intentId })
  return found
}

const lockWhere = (db: Db, condition: SQL) => db.select().from(payments).where(condition).for('update')

const lockById = prepareOnce((db) => lockWhere(db, eq(payments.id, sql.placeholder('id'))).prepare(''))
const lockByIntent = prepareOnce((db) =>
  lockWhere(db, eq(payments.stripePaymentIntentId, sql.placeholder('intentId'))).prepare(''),
)

/** The columns of a payment without a proposed settlement. */
export const noSettlement = () => ({ settlementCents: null, settlementBy: null, settlementAt: null })

type Refund = Pick<Payment, 'refundCents' | 'refundedAt' | 'refundFailedAt'>

/** The refund that ended the escrow. Refunds after the release are separate, in `payment_refunds`. */
export function findRuledRefund(payment: Payment): Refund {
  const { refundFirstAttempt, ruledRefundCents, ruledRefundedAt: refundedAt } = payment
  if (refundFirstAttempt !== null || refundedAt)
    return { refundCents: ruledRefundCents, refundedAt, refundFailedAt: null }
  return { ...payment, refundCents: ruledRefundCents ?? payment.refundCents }
}

/** Keeps the ruled refund while the amount that is owed to the buyer changes for another reason. */
export function keepRuledRefund(payment: Payment) {
  const { refundCents: ruledRefundCents, refundedAt: ruledRefundedAt } = findRuledRefund(payment)
  return { ruledRefundCents, ruledRefundedAt }
}

/** Whether an attempt at the latest refund failed or was refused. */
export const hasFailedRefund = (
  payment: Pick<Payment, 'refundFailedAt' | 'refundAttempt' | 'refundFirstAttempt'>,
): boolean => payment.refundFailedAt !== null || payment.refundAttempt > (payment.refundFirstAttempt ?? 0)

/** Locks a payment for its buyer or seller. For everyone else it does not exist. */
export async function lockOwnPayment(tx: Tx, id: number, user: Pick<User, 'id'>) {
  const payment = await lockPayment(tx, id)
  const party = payment && partyIn(payment, user.id)
  if (!payment || !party) throw refuse('payment_not_found')
  return { payment, party }
}

/** Saves changes that are not a move, such as a settlement proposal. Returns the changed payment. */
export async function savePayment(tx: Tx, before: Payment, changes: Partial<Payment>): Promise<Payment> {
  const after = { ...before, ...changes }
  await updatePayment(tx, before, after)
  await announce(tx, [after.buyerId, after.sellerId], { about: 'payments' })
  return after
}

/** Saves the columns that differ. Fails if the payment's status is no longer the one it was read with. */
export async function updatePayment(tx: Tx, before: Payment, after: Payment): Promise<void> {
  const changes = Object.entries(after).filter(([name, value]) => value !== before[name as keyof Payment])
  const saved = await tx
    .update(payments)
    .set({ ...Object.fromEntries(changes), updatedAt: tx.now })
    .where(and(eq(payments.id, before.id), eq(payments.status, before.status)))
    .returning({ id: payments.id })
  if (saved.length !== 1) throw new Error(`payment ${before.id} changed status while it was locked`)
}
