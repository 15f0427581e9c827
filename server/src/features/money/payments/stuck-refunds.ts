import type { QueryOf } from '@sought/contract/call'
import type { listStuckRefunds, StuckRefund } from '@sought/contract/refunds'
import { partyIn } from '@sought/escrow/moves'
import { refundPaidPosting } from '@sought/escrow/postings'
import { and, asc, desc, eq, exists, gt, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import { refuse } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../database/database.ts'
import { offerRequests, payments, refundSteps, users } from '../../../database/schema.ts'
import type { Actor } from '../../../http/session.ts'
import type { Services } from '../../../services.ts'
import { notify } from '../../notifications/actions.ts'
import { by, recordAudit } from '../../users/audit-log.ts'
import { asPublicUser, publicName } from '../../users/public-user.ts'
import { post } from '../ledger/post.ts'
import { refundDone } from './apply-fact.ts'
import { enqueueRefund } from './apply-move.ts'
import { refundPaid } from './notifications/payments.ts'
import { hasFailedRefund, lockPayment, type Payment, savePayment } from './stored-payment.ts'
import { checkCharge, syncCharge } from './sync-payment.ts'

/* Admin actions for refunds that the buyer's bank returned or that the provider keeps refusing. */

export { countStuckRefunds }

export async function readStuckRefunds(db: Db, query: QueryOf<typeof listStuckRefunds>) {
  return present(db, await findStuckRefunds(db, query))
}

type Row = Awaited<ReturnType<typeof findStuckRefunds>>[number]

async function present(db: Db, rows: Row[]) {
  const steps = await findRefundSteps(
    db,
    rows.map(({ payment }) => payment.id),
  )
  return rows.map(({ payment, buyer, itemTitle }) => {
    const status = statusOf(payment)
    return {
      paymentId: payment.id,
      transactionNumber: payment.transactionNumber,
      itemTitle,
      buyer: asPublicUser(buyer),
      buyerEmail: buyer.email,
      amount: payment.refundCents ?? 0,
      currency: payment.currency,
      status,
      failedAt: payment.refundFailedAt,
      attempts: payment.refundAttempt - (payment.refundFirstAttempt ?? 0),
      reason: payment.refundFailure,
      nextTryAt: status === 'retrying' ? payment.refundTryAt : null,
      paidAt: payment.refundedAt,
      bankDecides: payment.bankDecides,
      steps: steps
        .filter(({ step }) => step.paymentId === payment.id)
        .map(({ step, admin }) => ({ ...step, actor: publicName(admin) })),
    }
  })
}

function statusOf({ refundedAt, refundFailedAt }: Payment): StuckRefund['status'] {
  if (refundedAt) return 'paid'
  return refundFailedAt ? 'failed' : 'retrying'
}

/** The next attempt has its own number, so the provider makes a new refund. */
export function retryStuckRefund({ database }: Services, paymentId: number, admin: Actor) {
  return database.transact(async (tx) => {
    const payment = await lockStuckRefund(tx, paymentId, admin)
    await savePayment(tx, payment, { refundFailedAt: null, refundTryAt: tx.now })
    await enqueueRefund(tx, paymentId)
    await insertRefundStep(tx, { paymentId, action: 'retried', adminId: admin.id, reference: null })
    await recordAudit(tx, {
      action: 'refund_retried',
      ...by(admin),
      subjectId: payment.buyerId,
      details: { paymentId },
    })
    return readOne(tx, paymentId)
  })
}

/**
 * Books a refund that an admin paid outside the provider. Asks the provider first, because it may have made
 * one after all.
 */
export async function payRefundManually(
  services: Services,
  paymentId: number,
  reference: string,
  admin: Actor,
) {
  const { transact } = services.database
  const { stripePaymentIntentId } = await transact((tx) => lockStuckRefund(tx, paymentId, admin))
  await checkCharge(services, stripePaymentIntentId, syncCharge)
  return transact(async (tx) => {
    const payment = await lockStuckRefund(tx, paymentId, admin)
    const { refundCents, refundAttempt } = payment
    if (!refundCents) throw new Error('a refund without an amount is not stuck')
    if (payment.refundAskedAt) throw refuse('refund_under_way')
    await post(tx, refundPaidPosting(payment, refundCents, refundAttempt))
    await savePayment(tx, payment, refundDone(tx.now))
    await insertRefundStep(tx, { paymentId, action: 'marked_paid', adminId: admin.id, reference })
    await recordAudit(tx, {
      action: 'refund_marked_paid',
      ...by(admin),
      subjectId: payment.buyerId,
      details: { paymentId },
    })
    await notify(tx, refundPaid(payment, refundCents, refundAttempt))
    return readOne(tx, paymentId)
  })
}

async function lockStuckRefund(tx: Tx, paymentId: number, admin: Actor): Promise<Payment> {
  const payment = await lockPayment(tx, paymentId)
  if (!payment?.refundCents) throw refuse('refund_not_found')
  if (partyIn(payment, admin.id)) throw refuse('not_impartial')
  if (payment.refundedAt || !hasFailedRefund(payment)) throw refuse('refund_not_failed')
  if (payment.bankDecides) throw refuse('bank_decides')
  return payment
}

async function readOne(tx: Tx, paymentId: number) {
  const [shown] = await present(tx, await findStuckRefunds(tx, { paymentId, limit: 1 }))
  if (!shown) throw new Error('the updated refund is missing')
  return shown
}

interface StuckFilter {
  paymentId?: number
  status?: 'owed' | 'paid'
  cursor?: number | undefined
  limit: number
}

const isStuck = and(
  gt(payments.refundCents, 0),
  isNull(payments.refundedAt),
  or(
    isNotNull(payments.refundFailedAt),
    gt(payments.refundAttempt, sql`coalesce(${payments.refundFirstAttempt}, 0)`),
  ),
)

const countStuckRefunds = (db: Db) => db.$count(payments, isStuck)

/** Refunds that need an admin's attention or that admins have paid, latest payment first. */
function findStuckRefunds(db: Db, { paymentId, status, cursor, limit }: StuckFilter) {
  const paidByAdmin = db
    .select({ id: refundSteps.id })
    .from(refundSteps)
    .where(and(eq(refundSteps.paymentId, payments.id), eq(refundSteps.action, 'marked_paid')))
  return db
    .select({ payment: payments, buyer: users, itemTitle: offerRequests.title })
    .from(payments)
    .innerJoin(offerRequests, eq(offerRequests.offerId, payments.offerId))
    .innerJoin(users, eq(users.id, payments.buyerId))
    .where(
      and(
        paymentId ? eq(payments.id, paymentId) : undefined,
        status === 'owed' ? isStuck : undefined,
        status === 'paid' ? and(isNotNull(payments.refundedAt), exists(paidByAdmin)) : undefined,
        cursor ? lt(payments.id, cursor) : undefined,
      ),
    )
    .orderBy(desc(payments.id))
    .limit(limit)
}

async function insertRefundStep(
  tx: Tx,
  step: Omit<typeof refundSteps.$inferInsert, 'id' | 'createdAt'>,
): Promise<void> {
  await tx.insert(refundSteps).values({ ...step, createdAt: tx.now })
}

/** Admins' steps on the refunds of these payments, earliest first. */
function findRefundSteps(db: Db, paymentIds: number[]) {
  return db
    .select({ step: refundSteps, admin: users })
    .from(refundSteps)
    .innerJoin(users, eq(users.id, refundSteps.adminId))
    .where(inArray(refundSteps.paymentId, paymentIds))
    .orderBy(asc(refundSteps.id))
}
