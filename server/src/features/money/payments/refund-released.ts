import type { BodyOf } from '@sought/contract/call'
import { type Currency, rulesOf } from '@sought/contract/currencies'
import { findStepProblem, formatMoney } from '@sought/contract/money'
import type { PaymentDetails, refundBuyer } from '@sought/contract/payments'
import { type Released, releasedRefundCause, shareRefund } from '@sought/escrow/debts'
import { partyIn } from '@sought/escrow/moves'
import { releasedRefundPosting } from '@sought/escrow/postings'
import { eq, sum } from 'drizzle-orm'
import { refuse, requireValid } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../database/database.ts'
import { insertRow } from '../../../database/rows.ts'
import { ledgerEntries, paymentRefunds } from '../../../database/schema.ts'
import type { Actor, User } from '../../../http/session.ts'
import type { Services } from '../../../services.ts'
import { notify } from '../../notifications/actions.ts'
import { by, recordAudit } from '../../users/audit-log.ts'
import { addTimelineEntry, describeRefund } from '../dispute-records/dispute-records.ts'
import { post } from '../ledger/post.ts'
import { dueCents, findPayoutOf, hasLookUp, type Payout } from '../payouts/keep-payout-back.ts'
import { takeFromPayout } from '../payouts/reduce-payout.ts'
import { collectLoss } from '../payouts/take-back.ts'
import { findOwnPayment } from './actions.ts'
import { enqueueRefund } from './apply-move.ts'
import { paymentRefunded } from './notifications/payments.ts'
import { asPayment } from './presenters.ts'
import * as queries from './queries.ts'
import { keepRuledRefund, lockPayment, type Payment, savePayment } from './stored-payment.ts'
import { checkCharge, syncCharge } from './sync-payment.ts'

/*
 * Refunds after the release, by the seller or by the team (ADR 90). Everybody gives back their part of the price: the
 * seller from a payout that was not sent yet, then by reversing their transfer, then as a debt.
 */

type Refund = BodyOf<typeof refundBuyer>

export async function refundAsSeller(services: Services, id: number, refund: Refund, user: User) {
  const { payment } = await findOwnPayment(services.database.read, id, user)
  if (partyIn(payment, user.id) !== 'seller') throw refuse('not_the_seller')
  return refundReleased(services, payment, refund, { bySeller: true, madeBy: user.id })
}

export async function refundAsTeam(services: Services, id: number, refund: Refund, admin: Actor) {
  const found = await queries.findPayment(services.database.read, id)
  if (!found) throw refuse('payment_not_found')
  if (partyIn(found.payment, admin.id)) throw refuse('not_impartial')
  return refundReleased(services, found.payment, refund, { bySeller: false, madeBy: admin.id }, (tx) =>
    recordAudit(tx, {
      action: 'deal_refunded',
      ...by(admin),
      subjectId: found.payment.sellerId,
      details: { paymentId: id, amount: refund.amount },
    }),
  )
}

async function refundReleased(
  services: Services,
  { id, stripePaymentIntentId }: Payment,
  refund: Refund,
  maker: Pick<typeof paymentRefunds.$inferInsert, 'madeBy' | 'bySeller'>,
  record?: (tx: Tx) => Promise<void>,
) {
  await checkCharge(services, stripePaymentIntentId, syncCharge)
  return services.database.transact(async (tx) => {
    const payment = await lockPayment(tx, id)
    if (!payment) throw refuse('payment_not_found')
    await makeRefund(tx, payment, refund, maker)
    await record?.(tx)
    const shown = await queries.findPayment(tx, id)
    if (!shown) throw new Error('the refunded payment is missing')
    return asPayment(shown)
  })
}

async function makeRefund(
  tx: Tx,
  payment: Payment,
  { amount: amountCents, reason }: Refund,
  maker: Pick<typeof paymentRefunds.$inferInsert, 'madeBy' | 'bySeller'>,
): Promise<void> {
  if (payment.bankDecides) throw refuse('bank_decides')
  const refundable = await findRefundable(tx, payment)
  if (!refundable) throw refuse('payment_wrong_state')
  if (payment.refundCents && !payment.refundedAt) throw refuse('refund_under_way')
  requireValid('amount', findStepProblem(amountCents, payment.currency))
  if (amountCents > refundable.max) throw refuseAmount(refundable.max, payment.currency)
  const payout = await findPayoutOf(tx, payment.id)
  const unsentCents = payout ? await requireUnsent(tx, payout) : 0
  const { id: refundId } = await insertRow(tx, paymentRefunds, {
    paymentId: payment.id,
    amountCents,
    currency: payment.currency,
    reason,
    ...maker,
    createdAt: tx.now,
  })
  const shares = shareRefund(refundable, refundable.refunded, amountCents, rulesOf(payment.currency))
  const payoutPart = Math.min(shares.seller, unsentCents)
  const cause = releasedRefundCause(refundId)
  await post(tx, releasedRefundPosting(payment, { ...shares, causeId: cause.causeId, payout: payoutPart }))
  if (payout) await takeFromPayout(tx, payout, payoutPart)
  // Each refund has its own idempotency key.
  const refundAttempt = payment.refundCents === null ? payment.refundAttempt : payment.refundAttempt + 1
  await savePayment(tx, payment, {
    ...keepRuledRefund(payment),
    refundCents: amountCents,
    refundedAt: null,
    refundFailure: null,
    refundTryAt: tx.now,
    refundAttempt,
    refundFirstAttempt: refundAttempt,
  })
  await enqueueRefund(tx, payment.id)
  await collectLoss(tx, payment, cause)
  const details = `${describeRefund(amountCents, payment.currency)}: ${reason}`
  await addTimelineEntry(tx, payment.id, { action: 'refunded_later', actor: maker.madeBy, details })
  await notify(tx, paymentRefunded(payment, amountCents, cause.causeId))
}

function refuseAmount(max: number, currency: Currency) {
  const message = `The buyer can get back at most ${formatMoney(max, currency)}`
  return refuse('refund_out_of_range', { message, issues: [{ path: 'amount', message }] })
}

/** The part of the payout that was not sent. Refuses while the payout is on its way. */
async function requireUnsent(tx: Tx, payout: Payout): Promise<number> {
  switch (payout.status) {
    case 'owed':
      // The admin may have paid already.
      if (payout.method === 'manual' && (await hasLookUp(tx, payout.id))) throw refuse('payout_under_way')
      return dueCents(payout)
    case 'reversed':
      return dueCents(payout)
    case 'sending':
      throw refuse('payout_under_way')
    case 'frozen':
      throw refuse('bank_decides')
    case 'paid':
    case 'cancelled':
      return 0
  }
}

interface Refundable extends Released {
  /** The sum of earlier refunds after the release. */
  refunded: number
  /** The part of the price that the buyer has not got back yet. */
  max: number
}

/** Null if the payment was not released to the seller. */
async function findRefundable(
  db: Db,
  { id, sellerId, amount, status }: Pick<Payment, 'id' | 'sellerId' | 'amount' | 'status'>,
): Promise<Refundable | null> {
  if (!['completed', 'resolved_seller', 'resolved_partial'].includes(status)) return null
  const entries = await db.select().from(ledgerEntries).where(eq(ledgerEntries.paymentId, id))
  const add = (included: (entry: (typeof entries)[number]) => boolean) =>
    entries.filter(included).reduce((total, { amount }) => total + amount, 0)
  const releasedTo = (to: string) =>
    add(({ key, account }) => account === to && (key === `release:${id}` || key === `ruling:${id}`))
  const seller = releasedTo(`seller:${sellerId}`)
  if (seller === 0) return null
  const shares = {
    seller,
    platformFee: releasedTo('fees:platform'),
    processingFee: releasedTo('fees:processing'),
  }
  // Without the provider's side, which is converted into other currencies.
  const returned = -add(
    ({ key, account }) =>
      /^(refund|refund-paid|refund-failed|dashboard-refund|chargeback):/.test(key) &&
      account !== 'provider' &&
      !account.startsWith('fx:'),
  )
  const owed = add(({ key, account }) => account.startsWith('buyer:') && !key.startsWith('goodwill'))
  const [refunds] = await db
    .select({ amount: sum(paymentRefunds.amountCents).mapWith(Number) })
    .from(paymentRefunds)
    .where(eq(paymentRefunds.paymentId, id))
  const refunded = refunds?.amount ?? 0
  const released = shares.seller + shares.platformFee + shares.processingFee
  const max = Math.min(amount - returned - owed, released - refunded)
  return { ...shares, refunded, max: Math.max(0, max) }
}

/** What can be refunded now. Null for nothing. */
export async function readRefundable(db: Db, payment: Payment): Promise<PaymentDetails['refundable']> {
  const refundable = payment.bankDecides ? null : await findRefundable(db, payment)
  if (!refundable || refundable.max === 0) return null
  return {
    maxCents: refundable.max,
    refundedCents: refundable.refunded,
    sellerCents: refundable.seller,
    platformCents: refundable.platformFee,
    processingCents: refundable.processingFee,
  }
}
