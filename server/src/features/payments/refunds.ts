import { refundPosting } from '@sought/escrow/postings'
import type { Database, Tx } from '../../platform/database.ts'
import { announce } from '../../platform/events.ts'
import type { Services } from '../../platform/services.ts'
import { ProviderFailed } from '../../providers/stripe/card-provider.ts'
import { post } from '../ledger/post.ts'
import { enqueueRefund } from './enqueue-refund.ts'
import { lockPayment } from './lock-payment.ts'
import { claimDueRefunds, countRefusedRefund, markRefunded, type Payment } from './queries.ts'
import { syncIfChanged } from './sync-charge.ts'

const RETRY_BATCH = 100

/** Enqueues refunds again whose job was lost or failed. Each waits longer after every attempt. */
export async function retryRefunds({ database, config }: Services): Promise<void> {
  await database.transact(async (tx) => {
    const due = await claimDueRefunds(tx, config.escrowSweepSeconds, RETRY_BATCH)
    for (const { id } of due) await enqueueRefund(tx, id)
  })
}

/** Makes one refund. Safe to repeat: `cards.refund` finds a refund that an earlier attempt made. */
export async function refundBuyer(services: Services, paymentId: number): Promise<void> {
  const { cards, database, log } = services
  const before = await findRefund(database, paymentId)
  if (!cards || !before?.stripePaymentIntentId) return
  await syncIfChanged(services, cards, before.stripePaymentIntentId)
  // The provider may just have told that the buyer has the money, or that their bank decides.
  const payment = await findRefund(database, paymentId)
  if (!payment?.stripePaymentIntentId || !payment.refundCents || payment.bankDecides) return
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

/** The payment, if a refund of it is still to be made. */
async function findRefund({ transact }: Database, paymentId: number): Promise<Payment | null> {
  const payment = await transact((tx) => lockPayment(tx, paymentId))
  return payment?.refundCents && !payment.refundedAt && !payment.refundFailedAt ? payment : null
}

/** Posts a refund that the provider or the bank has made. Idempotent. */
export async function recordRefund(tx: Tx, paymentId: number): Promise<void> {
  const payment = await lockPayment(tx, paymentId)
  if (!payment?.refundCents || payment.refundedAt) return
  await post(tx, refundPosting(payment, payment.refundCents, payment.refundAttempt))
  await markRefunded(tx, paymentId)
  await announce(tx, [payment.buyerId, payment.sellerId], { about: 'payments' })
}
