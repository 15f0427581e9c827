import {
  type Cover,
  chargebackLostPosting,
  dashboardRefundPosting,
  inEscrow,
  type Posting,
  refundFailedPosting,
  refundPosting,
  reversalPosting,
} from '@sought/escrow/postings'
import { type FactName, MEANINGS, type Step, situationOf } from '@sought/escrow/provider-facts'
import type { Tx } from '../../platform/database.ts'
import type { Chargeback } from '../../providers/stripe/card-provider.ts'
import { post } from '../ledger/post.ts'
import { notify } from '../notifications/actions.ts'
import {
  payoutFrozenNotification,
  refundedNotifications,
  refundFailedNotification,
  refundSentAgainNotification,
} from '../notifications/build-notifications.ts'
import {
  closePayout,
  dueCents,
  findPayoutOf,
  freezePayout,
  type Payout,
  recordReversal,
  restorePayout,
  startTakingBack,
  takeFromPayout,
  unfreezePayout,
} from '../payouts/keep-payout-back.ts'
import { applyMove, savePayment } from './apply-move.ts'
import { addTimelineEntry } from './dispute-timeline.ts'
import {
  findChargebacks,
  findOpenChargebacks,
  hasFailedRefund,
  markAsOpener,
  recordFact,
} from './fact-queries.ts'
import { lockPaymentByIntent } from './lock-payment.ts'
import { composeSearchWords, isInDispute, openDispute } from './open-dispute.ts'
import type { Payment } from './queries.ts'

/** Something that the provider reports about a charged payment. */
export interface Fact {
  name: FactName
  /** The provider's id of the refund, dispute or reversal. */
  objectId: string
  cents: number
  /** For facts about a dispute. */
  chargeback?: Chargeback
  /** For a refund: whether we asked for it. */
  ours?: boolean
  /** For a refund that failed, in the provider's own word. */
  failureReason?: string | null
}

/** A transfer or another refund must finish first. The fact is not recorded and is tried again. */
export class NotYet extends Error {}

interface Books {
  tx: Tx
  payment: Payment
  payout: Payout | undefined
  fact: Fact
  cover: Cover
}

/** Applies a fact to a payment, its payout and the ledger. Idempotent. `MEANINGS` decides what happens. */
export async function applyFact(tx: Tx, intentId: string, fact: Fact): Promise<void> {
  const payment = await lockPaymentByIntent(tx, intentId)
  if (!payment) return
  const payout = await findPayoutOf(tx, payment.id)
  const situation = situationOf(payment.status, payout)
  if (!situation) throw new NotYet('the payment is not held yet')
  if (!(await recordFact(tx, payment.id, fact))) return
  // An older refund that failed before we heard that it was made was never booked.
  if (fact.name === 'refund_failed' && fact.ours && !payment.refundedAt) return
  const steps = MEANINGS[fact.name][situation]
  if (steps.includes('wait')) throw new NotYet('a transfer is under way')
  const books = { tx, payment, payout, fact, cover: coverOf(payment, payout, fact, steps) }
  await post(tx, ...postingsOf(books))
  const { chargeback } = fact
  if (chargeback) {
    const details = `${describeChargeback(chargeback)} (${chargeback.outcome})`
    await addTimelineEntry(tx, payment.id, { action: 'chargeback', actor: 'provider', details })
  }
  let current = payment
  for (const step of steps) current = await takeStep(step, { ...books, payment: current })
}

const describeChargeback = ({ reason }: Chargeback) =>
  `Chargeback by the buyer's bank: ${reason.replaceAll('_', ' ')}`

/** What covers money that left without us: first a refund that we owe, then escrow, then an unpaid payout. */
function coverOf(
  payment: Payment,
  payout: Payout | undefined,
  { cents }: Fact,
  steps: readonly Step[],
): Cover {
  let rest = cents
  const take = (step: Step, available: number) => {
    const taken = steps.includes(step) ? Math.min(rest, available) : 0
    rest -= taken
    return taken
  }
  return {
    refundCents: take('count_as_refund', payment.refundedAt ? 0 : (payment.refundCents ?? 0)),
    escrowCents: take('return_from_escrow', inEscrow(payment)),
    payoutCents: take('take_from_payout', payout ? dueCents(payout) : 0),
  }
}

function postingsOf({ payment, fact, cover }: Books): Posting[] {
  const { name, objectId, cents } = fact
  switch (name) {
    case 'refunded':
      return [dashboardRefundPosting(payment, objectId, cents, cover)]
    case 'refund_made':
      // What we no longer owed is booked like a refund in the dashboard.
      return cover.refundCents === cents
        ? [refundPosting(payment, cents, payment.refundAttempt)]
        : [dashboardRefundPosting(payment, objectId, cents, cover)]
    case 'refund_failed':
      return [refundFailedPosting(payment, objectId, cents, isInEscrow(payment) ? 'escrow' : 'buyer')]
    case 'dispute_lost':
      return [chargebackLostPosting(payment, objectId, cover)]
    case 'transfer_reversed':
      return [reversalPosting(payment, objectId, cents)]
    // What the bank takes and returns is booked by the provider's transactions (sync-charge.ts).
    case 'inquiry_opened':
    case 'inquiry_closed':
    case 'dispute_opened':
    case 'dispute_won':
    case 'dispute_prevented':
      return []
  }
}

const isInEscrow = (payment: Payment) => payment.status === 'held_in_escrow' || isInDispute(payment)

/** Returns the payment as it is after the step. */
async function takeStep(step: Step, books: Books): Promise<Payment> {
  const { tx, payment, payout, fact, cover } = books
  switch (step) {
    case 'return_from_escrow':
      return returnFromEscrow(books)
    case 'put_back_into_escrow':
      return save(tx, payment, { returnedCents: payment.returnedCents - fact.cents })
    case 'take_from_payout':
      if (payout) await takeFromPayout(tx, payout, cover.payoutCents)
      return payment
    case 'count_as_refund':
      return countAsRefund(books)
    case 'owe_refund':
      return oweRefund(books)
    case 'open_dispute':
      return openByBank(books)
    case 'await_bank':
      return awaitBank(books)
    case 'resume':
      return resume(books)
    case 'freeze_payout':
      if (payout) await freezePayout(tx, payout)
      await notify(tx, [payoutFrozenNotification(payment, fact.objectId)])
      return payment
    case 'unfreeze_payout':
      if ((await findOpenChargebacks(tx, payment.id)).length === 0) await unfreezePayout(tx, payment.id)
      return payment
    case 'reverse_transfer':
      if (payout && (await startTakingBack(tx, payout, fact)))
        await notify(tx, [payoutFrozenNotification(payment, fact.objectId)])
      return payment
    case 'restore_payout':
      if (payout) await restorePayout(tx, payout, fact.objectId)
      return payment
    case 'close_payout':
      if (payout) await closePayout(tx, payout)
      return payment
    case 'book_reversal':
      if (payout) await recordReversal(tx, payout, fact.cents)
      return payment
    case 'book_loss':
    case 'wait':
      return payment
  }
}

async function save(tx: Tx, payment: Payment, changes: Partial<Payment>): Promise<Payment> {
  const saved = { ...payment, ...changes }
  await savePayment(tx, payment, saved)
  return saved
}

export const refundDone = (now: Date) => ({
  refundedAt: now,
  refundFailedAt: null,
  refundFailure: null,
  refundAskedAt: null,
})

async function returnFromEscrow({ tx, payment, fact, cover }: Books): Promise<Payment> {
  const returnedCents = payment.returnedCents + cover.escrowCents
  const returned = await save(tx, payment, { returnedCents })
  if (returnedCents < payment.amount) {
    await notify(tx, refundedNotifications(payment, cover.escrowCents, fact.objectId))
    return returned
  }
  const cause = fact.chargeback ? 'chargeback' : 'refund'
  return applyMove(tx, returned, { name: 'reimburse', actor: 'provider', cause })
}

async function countAsRefund({ tx, payment, fact, cover: { refundCents } }: Books): Promise<Payment> {
  if (refundCents === 0) return payment
  if (refundCents === payment.refundCents) {
    if (fact.name === 'refund_made' && (await hasFailedRefund(tx, payment.id)))
      await notify(tx, [refundSentAgainNotification(payment, refundCents, fact.objectId)])
    return save(tx, payment, refundDone(tx.now))
  }
  return save(tx, payment, {
    refundCents: (payment.refundCents ?? 0) - refundCents,
    returnedCents: payment.returnedCents + refundCents,
  })
}

/** The buyer is owed what came back, in addition to a refund that failed before. */
async function oweRefund({ tx, payment, fact }: Books): Promise<Payment> {
  const owedCents = payment.refundedAt ? 0 : (payment.refundCents ?? 0)
  const mayBeUnderWay = owedCents > 0 && !payment.refundFailedAt
  if (mayBeUnderWay) throw new NotYet('another refund is under way')
  await notify(tx, [refundFailedNotification(payment, fact.cents, fact.objectId)])
  return save(tx, payment, {
    refundCents: owedCents + fact.cents,
    refundedAt: null,
    refundFailedAt: tx.now,
    refundFailure: fact.failureReason ?? null,
    refundAskedAt: null,
    refundAttempt: payment.refundAttempt + 1,
  })
}

async function openByBank({ tx, payment, fact: { chargeback } }: Books): Promise<Payment> {
  if (!chargeback) throw new Error('a dispute needs a chargeback')
  await markAsOpener(tx, chargeback.id)
  return openDispute(tx, payment, {
    actor: 'provider',
    reason: describeChargeback(chargeback),
    bankDecides: true,
  })
}

async function awaitBank({ tx, payment, fact: { chargeback } }: Books): Promise<Payment> {
  const reason = [payment.disputeReason, chargeback && describeChargeback(chargeback)]
  const disputeWords = await composeSearchWords(tx, payment, reason.join('\n'))
  return save(tx, payment, { bankDecides: true, disputeWords })
}

/** The bank no longer decides, unless another chargeback is open. */
async function resume({ tx, payment, fact }: Books): Promise<Payment> {
  const bankRuling = rulingOf(payment, fact)
  if ((await findOpenChargebacks(tx, payment.id)).length > 0) return save(tx, payment, { bankRuling })
  const resumed = await save(tx, payment, { bankDecides: false, bankRuling })
  const known = await findChargebacks(tx, [payment.id])
  const wasOpenedByBank = known.some(({ openedDispute }) => openedDispute)
  if (!isInDispute(resumed) || !wasOpenedByBank) return resumed
  return applyMove(tx, resumed, { name: 'resume', actor: 'provider' })
}

/** A payment that a bank has decided against once stays decided that way. */
function rulingOf({ amount, bankRuling }: Payment, { name, cents }: Fact): Payment['bankRuling'] {
  if (name === 'dispute_lost') return cents < amount ? 'resolved_partial' : 'resolved_buyer'
  return bankRuling ?? 'resolved_seller'
}
