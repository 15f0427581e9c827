import { rulesOf } from '@sought/contract/currencies'
import { findStepProblem } from '@sought/contract/money'
import { FILINGS_MAX } from '@sought/escrow/hold'
import { canMove, isInDispute, partyIn } from '@sought/escrow/moves'
import { inEscrow } from '@sought/escrow/postings'
import { calculateRuling } from '@sought/escrow/rulings'
import { refuse, requireValid } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../database/database.ts'
import { announce } from '../../../http/events.ts'
import type { User } from '../../../http/session.ts'
import type { Services } from '../../../services.ts'
import { notify } from '../../notifications/actions.ts'
import { addTimelineEntry, countFilings, describeRefund } from '../dispute-records/dispute-records.ts'
import { readPayment } from '../payments/actions.ts'
import { applyMove } from '../payments/apply-move.ts'
import { lockOwnPayment, lockPayment, type Payment, savePayment } from '../payments/stored-payment.ts'
import { checkCharge } from '../payments/sync-payment.ts'
import { appealsOf } from './appeals.ts'
import { disputeAnswered, settlementProposed } from './notifications.ts'
import { asDispute, asEvidence, asPartyTimelineEntry } from './presenters.ts'
import * as queries from './queries.ts'

/** Used when the buyer disputes from the delivery screen without a reason. */
const DEFAULT_REASON = 'Product not as described'
const ANSWERS_MAX = 50
/** Parties do not learn that a payment was suspected of fraud. */
const ADMIN_ACTIONS = ['fraud_warning', 'review', 'suspicion_dismissed']

export async function fileDispute(tx: Tx, paymentId: number, reason: string | undefined, user: User) {
  const { payment, party } = await lockOwnPayment(tx, paymentId, user)
  if (canMove(payment.status, 'dispute', party)) await refuseThirdFiling(tx, payment)
  await applyMove(tx, payment, { name: 'dispute', actor: party, reason: reason || DEFAULT_REASON })
  return findOwnDispute(tx, paymentId, user)
}

async function refuseThirdFiling(tx: Tx, { id, escrowHoldUntil }: Payment): Promise<void> {
  if ((await countFilings(tx, id)) < FILINGS_MAX) return
  const leftMs = (escrowHoldUntil?.getTime() ?? 0) - tx.now.getTime()
  throw refuse('too_many', {
    message:
      'You have already filed two disputes about this deal, which is the maximum. Please contact our team if something is wrong.',
    retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1000)),
  })
}

/** Returns the payment, because the delivery screen shows it instead of the dispute. */
export async function fileFromDelivery(tx: Tx, paymentId: number, reason: string | undefined, user: User) {
  await fileDispute(tx, paymentId, reason, user)
  return readPayment(tx, paymentId, user)
}

async function findOwnDispute(db: Db, paymentId: number, user: User) {
  const row = await queries.findDispute(db, paymentId)
  if (!row || !partyIn(row.payment, user.id)) throw refuse('dispute_not_found')
  return asDispute(row)
}

/** A dispute with evidence and timeline, for its two parties. */
export async function readDispute(db: Db, paymentId: number, user: User, marketName: string) {
  const dispute = await findOwnDispute(db, paymentId, user)
  const evidence = await queries.findEvidence(db, paymentId)
  return {
    dispute,
    evidence: evidence.map(asEvidence),
    timeline: (await queries.findTimeline(db, paymentId))
      .filter(({ entry }) => !ADMIN_ACTIONS.includes(entry.action))
      .map((row) => asPartyTimelineEntry(row, dispute, marketName)),
    ...(await appealsOf(db, dispute)),
  }
}

/** Locks an open dispute for one of its two parties. */
export async function lockOpenDispute(tx: Tx, paymentId: number, user: Pick<User, 'id'>) {
  const payment = await lockPayment(tx, paymentId)
  const party = payment && partyIn(payment, user.id)
  if (!payment || !party) throw refuse('dispute_not_found')
  if (isInDispute(payment.status)) return { payment, party }
  throw refuse(payment.status.startsWith('resolved') ? 'dispute_resolved' : 'dispute_not_found')
}

export async function addAnswer(tx: Tx, paymentId: number, content: string, user: User) {
  const { payment } = await lockOpenDispute(tx, paymentId, user)
  const { texts } = await queries.countEvidence(tx, paymentId, user.id)
  if (texts >= ANSWERS_MAX) throw refuse('too_many_answers')
  const answer = await queries.insertEvidence(tx, {
    disputeId: paymentId,
    submittedBy: user.id,
    type: 'text',
    content,
  })
  await addTimelineEntry(tx, paymentId, { action: 'answered', actor: user.id })
  await announce(tx, [payment.buyerId, payment.sellerId], { about: 'payments' })
  await notify(tx, disputeAnswered(payment, user.id, answer.id))
  return asEvidence(answer)
}

/** Locks an open dispute that the parties can end themselves. While a chargeback is open, only the bank decides. */
async function lockEndableDispute(tx: Tx, paymentId: number, user: User) {
  const dispute = await lockOpenDispute(tx, paymentId, user)
  if (dispute.payment.bankDecides) throw refuse('bank_decides')
  return dispute
}

/** The buyer withdraws. The hold resumes with the time that was left (ADR 10). */
export async function withdraw(tx: Tx, paymentId: number, user: User) {
  const { payment, party } = await lockEndableDispute(tx, paymentId, user)
  await applyMove(tx, payment, { name: 'withdraw', actor: party })
  return { ok: true as const }
}

export async function propose(tx: Tx, paymentId: number, refundCents: number, user: User) {
  const { payment, party } = await lockOpenDispute(tx, paymentId, user)
  requireValid('refundAmount', findStepProblem(refundCents, payment.currency))
  if (!calculateRuling('refund_partial', inEscrow(payment), payment, rulesOf(payment.currency), refundCents))
    throw refuse('refund_out_of_range')
  const proposal = { settlementCents: refundCents, settlementBy: party, settlementAt: tx.now }
  await savePayment(tx, payment, proposal)
  const timelineId = await addTimelineEntry(tx, paymentId, {
    action: 'settlement_proposed',
    actor: user.id,
    details: describeRefund(refundCents, payment.currency),
  })
  await notify(tx, settlementProposed(payment, user.id, { refundCents, timelineId }))
  return { ok: true as const }
}

/** Asks the provider first: a chargeback may be open, or the buyer may already have the money back. */
export async function checkAndAccept(services: Services, paymentId: number, refundCents: number, user: User) {
  const dispute = await findOwnDispute(services.database.read, paymentId, user)
  if (isInDispute(dispute.status)) await checkCharge(services, dispute.stripePaymentIntentId)
  return services.database.transact((tx) => acceptProposal(tx, paymentId, refundCents, user))
}

/**
 * The other party accepts the proposed amount, if it is still the one they saw. The settlement takes effect
 * immediately, without an admin.
 */
export async function acceptProposal(tx: Tx, paymentId: number, refundCents: number, user: User) {
  const { payment, party } = await lockEndableDispute(tx, paymentId, user)
  // Otherwise two people who share a stolen card could agree where the money goes.
  if (payment.needsCheck) throw refuse('payment_needs_check')
  const isOpen = payment.settlementCents === refundCents && payment.settlementBy !== party
  const ruling = isOpen
    ? calculateRuling('refund_partial', inEscrow(payment), payment, rulesOf(payment.currency), refundCents)
    : null
  if (!ruling) throw refuse('settlement_changed')
  await applyMove(tx, payment, { name: ruling.move, actor: 'parties', by: user.id, ruling })
  return { ok: true as const }
}
