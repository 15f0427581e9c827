import { partyIn } from '@sought/escrow/moves'
import { calculateRuling } from '@sought/escrow/rulings'
import type { Db, Tx } from '../../platform/database.ts'
import { refuse } from '../../platform/errors.ts'
import { announce } from '../../platform/events.ts'
import type { User } from '../../platform/session.ts'
import { notify } from '../notifications/actions.ts'
import {
  disputeAnswerNotification,
  settlementProposedNotification,
} from '../notifications/build-notifications.ts'
import { readPayment } from '../payments/actions.ts'
import { applyMove, savePayment } from '../payments/apply-move.ts'
import { addTimelineEntry } from '../payments/dispute-timeline.ts'
import { lockOwnPayment, lockPayment } from '../payments/lock-payment.ts'
import { isInDispute, openDispute } from '../payments/open-dispute.ts'
import { asDispute, asEvidence, asTimelineEntry } from './presenters.ts'
import { countEvidence, findDispute, findEvidence, findTimeline, insertEvidence } from './queries.ts'

/** What the delivery screen files when the buyer says nothing more. */
const USUAL_REASON = 'Product not as described'
const ANSWERS_MAX = 50

export async function file(tx: Tx, paymentId: number, reason: string | undefined, user: User) {
  const { payment, party } = await lockOwnPayment(tx, paymentId, user)
  const details = reason || USUAL_REASON
  await openDispute(tx, payment, {
    actor: party,
    reason: details,
    timeline: { action: 'filed', actor: user.id, details },
  })
  return disputeOf(tx, paymentId, user)
}

/** The same from the delivery screen, which shows the payment. */
export async function fileFromDelivery(tx: Tx, paymentId: number, reason: string | undefined, user: User) {
  await file(tx, paymentId, reason, user)
  return readPayment(tx, paymentId, user)
}

async function disputeOf(db: Db, paymentId: number, user: User) {
  const row = await findDispute(db, paymentId)
  if (!row || !partyIn(row.payment, user.id)) throw refuse('dispute_not_found')
  return asDispute(row)
}

/** All of a dispute, for its two parties. */
export async function readFile(db: Db, paymentId: number, user: User) {
  const dispute = await disputeOf(db, paymentId, user)
  const evidence = await findEvidence(db, paymentId)
  return {
    dispute,
    evidence: evidence.map(asEvidence),
    timeline: (await findTimeline(db, paymentId)).map(asTimelineEntry),
  }
}

/** A dispute that is still open, locked, for one of its two parties. */
export async function lockOpenDispute(tx: Tx, paymentId: number, user: Pick<User, 'id'>) {
  const payment = await lockPayment(tx, paymentId)
  const party = payment && partyIn(payment, user.id)
  if (!payment || !party) throw refuse('dispute_not_found')
  if (isInDispute(payment)) return { payment, party }
  throw refuse(payment.status.startsWith('resolved') ? 'dispute_resolved' : 'dispute_not_found')
}

export async function answer(tx: Tx, paymentId: number, content: string, user: User) {
  const { payment } = await lockOpenDispute(tx, paymentId, user)
  const { texts } = await countEvidence(tx, paymentId, user.id)
  if (texts >= ANSWERS_MAX) throw refuse('too_many_answers')
  const said = await insertEvidence(tx, { disputeId: paymentId, submittedBy: user.id, type: 'text', content })
  await addTimelineEntry(tx, paymentId, { action: 'answered', actor: user.id })
  await announce(tx, [payment.buyerId, payment.sellerId], { about: 'payments' })
  await notify(tx, [disputeAnswerNotification(payment, said.id, user.id)])
  return asEvidence(said)
}

/** A dispute that its two parties may still end by themselves: a bank that gives the money back asks neither of them. */
async function lockOwnDispute(tx: Tx, paymentId: number, user: User) {
  const dispute = await lockOpenDispute(tx, paymentId, user)
  if (dispute.payment.bankDecides) throw refuse('bank_decides')
  return dispute
}

/** The buyer takes it back: the hold runs on with what was left of it, at least two days (ADR 10). */
export async function withdraw(tx: Tx, paymentId: number, user: User) {
  const { payment, party } = await lockOwnDispute(tx, paymentId, user)
  await applyMove(tx, payment, {
    name: 'withdraw',
    actor: party,
    timeline: { action: 'withdrawn', actor: user.id },
  })
  return { ok: true as const }
}

export async function propose(tx: Tx, paymentId: number, refundCents: number, user: User) {
  const { payment, party } = await lockOpenDispute(tx, paymentId, user)
  if (!calculateRuling('refund_partial', payment.amount, refundCents)) throw refuse('refund_out_of_range')
  const proposed = {
    ...payment,
    settlementCents: refundCents,
    settlementBy: party,
    settlementAt: tx.now,
  }
  await savePayment(tx, payment, proposed)
  const line = await addTimelineEntry(tx, paymentId, {
    action: 'settlement_proposed',
    actor: user.id,
    details: describeRefund(refundCents),
  })
  await notify(tx, [settlementProposedNotification(payment, refundCents, user.id, line)])
  return { ok: true as const }
}

const describeRefund = (refundCents: number) => `${(refundCents / 100).toFixed(2)} back to the buyer`

/** The other party agrees to what was proposed, at the amount that they read: it is done at once, without an admin. */
export async function acceptProposal(tx: Tx, paymentId: number, refundCents: number, user: User) {
  const { payment, party } = await lockOwnDispute(tx, paymentId, user)
  const open = payment.settlementCents === refundCents && payment.settlementBy !== party
  const decided = open ? calculateRuling('refund_partial', payment.amount, refundCents) : null
  if (!decided) throw refuse('settlement_changed')
  await applyMove(tx, payment, {
    name: decided.move,
    actor: 'parties',
    ruling: decided,
    timeline: { action: 'settled', actor: user.id, details: describeRefund(refundCents) },
  })
  return { ok: true as const }
}
