import type { Tx } from '../../../database/database.ts'
import { ProviderFailed } from '../../../providers/stripe/card-provider.ts'
import type { Services } from '../../../services.ts'
import { resumePayments, setAside } from '../set-aside/set-aside.ts'
import { applyFact, type Fact } from './apply-fact.ts'
import { enqueueRefund } from './apply-move.ts'
import { findBookedRefunds } from './provider-queries.ts'
import * as queries from './queries.ts'
import { lockPayment, type Payment } from './stored-payment.ts'
import { isSetAside, NotClear, syncCharge } from './sync-payment.ts'

const RETRY_BATCH = 100

/** Enqueues refunds again whose job was lost or failed. The interval grows with every attempt. */
export async function retryRefunds({ database, config }: Services): Promise<void> {
  await database.transact(async (tx) => {
    const due = await queries.claimDueRefunds(tx, config.escrowSweepSeconds, RETRY_BATCH)
    for (const { id } of due) await enqueueRefund(tx, id)
  })
}

/** Makes one refund. Safe to repeat: `cards.refund` finds a refund that an earlier attempt made. */
export async function refundBuyer(services: Services, paymentId: number): Promise<void> {
  const { cards, database, log } = services
  const before = await database.transact((tx) => lockDueRefund(tx, paymentId))
  const intentId = before?.stripePaymentIntentId
  if (!cards || !intentId) return
  // Always syncs: after a failed refund, the charge looks unchanged.
  try {
    const synced = await syncCharge(services, cards, intentId)
    if (synced === 'not found' || synced === 'foreign') throw new NotClear(synced)
  } catch (error) {
    if (!isSetAside(error)) throw error
    return setAside(services, 'refund', paymentId, error)
  }
  const refund = await database.transact((tx) => startRefund(tx, paymentId))
  if (!refund) return
  try {
    const { id, amountCents, pending, conversion } = await cards.refund({ ...refund, paymentId, intentId })
    const made: Fact = { name: 'refund_made', objectId: id, amount: amountCents, ours: true, conversion }
    await database.transact(async (tx) => {
      await applyFact(tx, intentId, made)
      if (pending) await queries.setRefundPending(tx, paymentId)
      await resumePayments(tx, 'refund', [paymentId])
    })
  } catch (error) {
    if (!(error instanceof ProviderFailed && error.outcome === 'refused')) throw error
    log.error({ err: error, paymentId }, 'the provider refused a refund')
    const refused = { attempt: refund.attempt, reason: error.reason }
    await database.transact((tx) => queries.countRefusedRefund(tx, paymentId, refused))
  }
}

/** The payment, if its refund is still due. */
async function lockDueRefund(tx: Tx, paymentId: number): Promise<Payment | null> {
  const payment = await lockPayment(tx, paymentId)
  return payment?.refundCents && !payment.refundedAt && !payment.refundFailedAt ? payment : null
}

/** The sync may just have shown that the buyer has the money, that a refund failed, or that a bank decides. */
async function startRefund(tx: Tx, paymentId: number) {
  const payment = await lockDueRefund(tx, paymentId)
  if (!payment?.refundCents || payment.bankDecides) return null
  await queries.markRefundAsked(tx, paymentId)
  return {
    amountCents: payment.refundCents,
    currency: payment.mischargedCurrency ?? payment.currency,
    createdAt: payment.createdAt,
    attempt: payment.refundAttempt,
    bookedIds: await findBookedRefunds(tx, paymentId),
  }
}
