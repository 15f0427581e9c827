import { refundPosting } from '@sought/escrow/postings'
import type { Tx } from '../../platform/database.ts'
import { announce } from '../../platform/events.ts'
import { enqueue } from '../../platform/jobs.ts'
import type { Services } from '../../platform/services.ts'
import { ProviderFailed } from '../../providers/stripe/card-provider.ts'
import { post } from '../ledger/post.ts'
import { lockPayment } from './lock-payment.ts'
import { countRefusedRefund, findDueRefunds, markRefunded } from './queries.ts'

const RETRY_BATCH = 100

export async function enqueueRefund(tx: Tx, paymentId: number): Promise<void> {
  await enqueue(tx, 'refund-buyer', { paymentId }, `refund-buyer:${paymentId}`)
}

/** Enqueues refunds again whose job was lost or failed. */
export async function retryRefunds({ database }: Services): Promise<void> {
  await database.transact(async (tx) => {
    for (const { id } of await findDueRefunds(tx, RETRY_BATCH)) await enqueueRefund(tx, id)
  })
}

/** Makes one refund. Safe to repeat: `cards.refund` finds a refund that an earlier attempt made. */
export async function refundBuyer({ cards, database, log }: Services, paymentId: number): Promise<void> {
  const payment = await database.transact((tx) => lockPayment(tx, paymentId))
  if (!payment?.refundCents || payment.refundedAt || !payment.stripePaymentIntentId || !cards) return
  try {
    await cards.refund({
      paymentId,
      intentId: payment.stripePaymentIntentId,
      amountCents: payment.refundCents,
      createdAt: payment.createdAt,
      attempt: payment.refundAttempt,
    })
    await database.transact((tx) => recordRefund(tx, paymentId))
  } catch (error) {
    if (!(error instanceof ProviderFailed && error.outcome === 'refused')) throw error
    log.error({ err: error, paymentId }, 'the provider refused a refund')
    await database.transact((tx) => countRefusedRefund(tx, paymentId, payment.refundAttempt))
  }
}

/** Posts a refund that the provider or the bank has made. Idempotent. */
export async function recordRefund(tx: Tx, paymentId: number): Promise<void> {
  const payment = await lockPayment(tx, paymentId)
  if (!payment?.refundCents || payment.refundedAt) return
  await post(tx, refundPosting(payment, payment.refundCents))
  await markRefunded(tx, paymentId)
  await announce(tx, [payment.buyerId, payment.sellerId], { about: 'payments' })
}
