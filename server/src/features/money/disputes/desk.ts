import type { BodyOf, QueryOf } from '@sought/contract/call'
import type { RulingPreview } from '@sought/contract/casework'
import { rulesOf } from '@sought/contract/currencies'
import {
  type addAdminEvidence,
  type listDisputeMessages,
  type listDisputes,
  parseDisputeCursor,
  type resolveDispute,
} from '@sought/contract/disputes'
import { findStepProblem } from '@sought/contract/money'
import { isInDispute, partyIn } from '@sought/escrow/moves'
import { inEscrow } from '@sought/escrow/postings'
import { calculateRuling, type Ruling } from '@sought/escrow/rulings'
import { refuse, requireValid } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../database/database.ts'
import type { Actor } from '../../../http/session.ts'
import type { Services } from '../../../services.ts'
import { messagesOf } from '../../deals/messages/actions.ts'
import { by, recordAudit } from '../../users/audit-log.ts'
import { asPublicUser } from '../../users/public-user.ts'
import { addTimelineEntry, recordAdminStep } from '../dispute-records/dispute-records.ts'
import { applyMove } from '../payments/apply-move.ts'
import { dismissSuspicion } from '../payments/fraud-signals.ts'
import { lockPayment, type Payment } from '../payments/stored-payment.ts'
import { checkCharge } from '../payments/sync-payment.ts'
import { findAppealUntil } from './appeals.ts'
import { notesFor } from './casework.ts'
import { asBankRecords, asDeskDispute, asEvidence, assigneeOf, asTimelineEntry } from './presenters.ts'
import type { DisputeFilter } from './queries.ts'
import * as queries from './queries.ts'

type DeskQuery = Pick<QueryOf<typeof listDisputes>, 'search' | 'status' | 'show'> & {
  cursor?: string | undefined
}

/** The database filter for the admin's query. */
export function filterOf<Query extends DeskQuery>(
  { show, cursor, ...query }: Query,
  admin: Actor,
  now: Date,
) {
  const assignedTo = show && { mine: admin.id, unassigned: null }[show]
  return { ...query, assignedTo, after: cursor ? parseDisputeCursor(cursor) : undefined, now }
}

export async function searchDisputes(db: Db, filter: DisputeFilter) {
  const found = await queries.findDisputes(db, filter)
  const records = await queries.findBankRecords(
    db,
    found.map(({ payment }) => payment.id),
  )
  return found.map((row) => asDeskDispute(row, records))
}

export { countBankDeadlines, countOpenDisputes, countOverdueDisputes } from './queries.ts'

async function findOnDesk(db: Db, id: number) {
  const row = await queries.findDeskDispute(db, id)
  if (!row) throw refuse('dispute_not_found')
  return row
}

async function readDeskDispute(db: Db, id: number) {
  return asDeskDispute(await findOnDesk(db, id), await queries.findBankRecords(db, [id]))
}

/** The statements and files of both parties. Records in the audit log who reads them. */
export async function readDetails(tx: Tx, id: number, admin: Actor) {
  const row = await findOnDesk(tx, id)
  await recordAudit(tx, { action: 'dispute_viewed', ...by(admin), ...about(id) })
  const evidence = await queries.findEvidence(tx, id)
  return {
    ...asBankRecords(row, await queries.findBankRecords(tx, [id])),
    buyerInfo: asPublicUser(row.buyer),
    sellerInfo: asPublicUser(row.seller),
    evidence: evidence.map(asEvidence),
    timeline: (await queries.findTimeline(tx, id)).map(asTimelineEntry),
    assignee: assigneeOf(row),
    appealUntil: await findAppealUntil(tx, row.payment),
    notes: await notesFor(tx, row.payment, admin),
  }
}

/** The messages between the parties. Records in the audit log who reads them. */
export async function readConversation(
  tx: Tx,
  id: number,
  { limit, cursor }: QueryOf<typeof listDisputeMessages>,
  admin: Actor,
) {
  const { payment } = await findOnDesk(tx, id)
  await recordAudit(tx, { action: 'conversation_viewed', ...by(admin), ...about(id) })
  const { wantedItemId, buyerId, sellerId } = payment
  return messagesOf(tx, { id: buyerId }, { wantedItemId, userId: sellerId, before: cursor, limit })
}

/** A payment concerns two people, so the audit entry names the payment instead of a person. */
const about = (paymentId: number) => ({ subjectId: null, details: { paymentId } })

/** Locks an open dispute for an admin who is not a party to it. */
async function lockForRuling(tx: Tx, id: number, admin: Actor) {
  const payment = await lockPayment(tx, id)
  if (payment && isInDispute(payment.status)) {
    if (partyIn(payment, admin.id)) throw refuse('not_impartial')
    return payment
  }
  if (payment?.bankDecides) throw refuse('bank_decides')
  throw refuse(payment?.status.startsWith('resolved') ? 'dispute_resolved' : 'dispute_not_found')
}

/** Locks an open entry of the desk for an admin who is not a party to it, even if only a bank can decide it. */
async function lockOpenEntry(tx: Tx, id: number, admin: Actor) {
  const payment = await lockPayment(tx, id)
  if (!payment?.deskStatus) throw refuse('dispute_not_found')
  if (payment.deskStatus.startsWith('resolved')) throw refuse('dispute_resolved')
  if (partyIn(payment, admin.id)) throw refuse('not_impartial')
  return payment
}

interface Resolution extends BodyOf<typeof resolveDispute> {
  /** The preview that the admin has seen. */
  preview?: RulingPreview | undefined
}

export const asPreview = (id: number, ruling: Ruling): RulingPreview => ({
  id,
  refund: ruling.refund,
  seller: ruling.payout,
  fees: ruling.platformFee + ruling.processingFee,
})

/** The whole amount of a charge that may be fraud can only go back to the card. */
export const canRule = ({ needsCheck }: Pick<Payment, 'needsCheck'>, { move }: Ruling) =>
  !needsCheck || move === 'refund'

const isSameRuling = (a: RulingPreview, b: RulingPreview) =>
  a.refund === b.refund && a.seller === b.seller && a.fees === b.fees

/** Asks the provider first: a chargeback may be open, or the buyer may already have the money back. */
export async function checkAndResolve(services: Services, id: number, body: Resolution, admin: Actor) {
  const dispute = await queries.findDeskDispute(services.database.read, id)
  if (dispute && isInDispute(dispute.payment.status) && !partyIn(dispute.payment, admin.id))
    await checkCharge(services, dispute.payment.stripePaymentIntentId)
  return services.database.transact((tx) => resolve(tx, id, body, admin))
}

/** Lets a payment with fraud signals continue. */
export async function dismissSignals(tx: Tx, id: number, admin: Actor) {
  await dismissSuspicion(tx, id, admin)
  await recordAudit(tx, { action: 'fraud_signal_dismissed', ...by(admin), ...about(id) })
  return { ok: true as const }
}

/** Rules on a dispute, or marks it as under review (ADR 9). */
export async function resolve(tx: Tx, id: number, body: Resolution, admin: Actor) {
  const payment = await lockForRuling(tx, id, admin)
  const { action, note } = body
  const decision = { actor: 'admin', by: admin.id, note: note || undefined } as const
  if (action === 'under_review' || action === 'request_more_info') {
    await applyMove(tx, payment, { name: 'review', action, ...decision })
  } else {
    if (payment.bankDecides) throw refuse('bank_decides')
    requireValid('refundAmount', findStepProblem(body.refundAmount ?? 0, payment.currency))
    const ruling = calculateRuling(
      action,
      inEscrow(payment),
      payment,
      rulesOf(payment.currency),
      body.refundAmount,
    )
    if (!ruling) throw refuse('refund_out_of_range')
    if (!canRule(payment, ruling)) throw refuse('payment_needs_check')
    if (body.preview && !isSameRuling(body.preview, asPreview(id, ruling))) throw refuse('ruling_changed')
    await applyMove(tx, payment, { name: ruling.move, ruling, action, ...decision })
  }
  await recordAudit(tx, {
    action: 'dispute_resolved',
    ...by(admin),
    subjectId: null,
    details: { paymentId: id, action },
  })
  return readDeskDispute(tx, id)
}

export async function addEvidence(tx: Tx, id: number, body: BodyOf<typeof addAdminEvidence>, admin: Actor) {
  const payment = await lockOpenEntry(tx, id, admin)
  await recordAdminStep(tx, payment)
  const { type, description, content } = body
  const added = await queries.insertEvidence(tx, {
    disputeId: id,
    submittedBy: admin.id,
    type,
    description: description || null,
    content: content || null,
  })
  await addTimelineEntry(tx, id, { action: 'evidence', actor: admin.id, details: type })
  await recordAudit(tx, { action: 'dispute_noted', ...by(admin), ...about(id) })
  return asEvidence(added)
}
