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

/** Has the provider give the buyer their part back, after a ruling has said so. */
export async function enqueueRefund(tx: Tx, paymentId: number): Promise<void> {
  await enqueue(tx, 'refund-buyer', { paymentId }, `refund-buyer:${paymentId}`)
}

/** Takes up refunds that have been lying. */
export async function retryRefunds({ database }: Services): Promise<void> {
  await database.transact(async (tx) => {
    for (const { id } of await findDueRefunds(tx, RETRY_BATCH)) await enqueueRefund(tx, id)
  })
}

/** Makes one refund. The provider finds an earlier try's by itself, so that repeating it is safe. */
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

/** The buyer has their part back: the ledger says so, once. */
export async function recordRefund(tx: Tx, paymentId: number): Promise<void> {
  const payment = await lockPayment(tx, paymentId)
  if (!payment?.refundCents || payment.refundedAt) return
  await post(tx, refundPosting(payment, payment.refundCents))
  await markRefunded(tx, paymentId)
  await announce(tx, [payment.buyerId, payment.sellerId], { about: 'payments' })
}
