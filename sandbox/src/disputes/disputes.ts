import type Stripe from 'stripe'
import type { Cause } from '../cause.ts'
import type { Tx } from '../database.ts'
import { emitEvent } from '../events.ts'
import { failPendingRefunds } from '../failed-refunds.ts'
import { invalidState } from '../http/api-error.ts'
import { newId } from '../ids.ts'
import { listObjects } from '../lists.ts'
import { checkStep, formatMoney } from '../money.ts'
import {
  getObject,
  insertObject,
  lockObject,
  type Stored,
  saveObject,
  scheduleSettlement,
  toUnixSeconds,
} from '../objects.ts'
import { ruleOf } from '../payment-methods/method-types.ts'
import { NO_EVIDENCE } from './dispute-evidence.ts'
import { disputableAmount, returnFunds, withdrawFunds } from './dispute-money.ts'
import { endRadarCases } from './radar.ts'

/*
 * A chargeback withdraws money and a fee when it opens. An inquiry (`warning_…`) moves no money unless it becomes a
 * chargeback. All functions lock the charge first.
 */

const EVIDENCE_DAYS = 14

/** Reasons that a cardholder can give for a card payment. */
export const DISPUTE_REASONS = [
  'credit_not_processed',
  'duplicate',
  'fraudulent',
  'general',
  'noncompliant',
  'product_not_received',
  'product_unacceptable',
  'subscription_canceled',
  'unrecognized',
] as const

export type DisputeReason = (typeof DISPUTE_REASONS)[number]

/** Visa's code for each reason. */
const NETWORK_CODES: Partial<Record<string, string>> = {
  credit_not_processed: '13.6',
  duplicate: '12.6.1',
  fraudulent: '10.4',
  general: '13.5',
  noncompliant: '98',
  product_not_received: '13.1',
  product_unacceptable: '13.3',
  subscription_canceled: '13.2',
  unrecognized: '10.4',
}

/** Reasons of banks, for debits from a bank account. */
type DebitReason = 'debit_not_authorized' | 'insufficient_funds'

interface Claim {
  reason: DisputeReason | DebitReason
  caseType: 'chargeback' | 'compliance' | 'inquiry'
  /** By default, everything that can still be disputed. */
  amount?: number | undefined
}

/** Opens a dispute about all or part of a charge. The caller has locked the charge. */
export async function openDispute(
  tx: Tx,
  cause: Cause,
  charge: Stored<'charge'>,
  claim: Claim,
): Promise<Stripe.Dispute> {
  const { disputes } = ruleOf(charge.body.payment_method_details?.type ?? 'card')
  if (disputes === 'never') throw invalidState(`Payments with this method cannot be disputed.`)
  const asksOnly = claim.caseType === 'inquiry' && disputes === 'answered'
  if (!asksOnly) await failPendingRefunds(tx, cause, charge.id)
  const current = await lockObject(tx, 'charge', charge.id)
  const disputable = disputableAmount(current)
  const amount = claim.amount ?? disputable
  if (current.body.status !== 'succeeded' || amount <= 0 || amount > disputable) {
    const left = formatMoney(disputable, current.body.currency)
    throw invalidState(`Charge ${charge.id} cannot be disputed: ${left} of it is left.`, {
      code: 'charge_disputed',
    })
  }
  const body = { ...current.body, disputed: true }
  checkStep(amount, body.currency)
  await saveObject(tx, { ...current, body })
  await endRadarCases(tx, cause, body, 'disputed')
  const opened = buildDispute(tx, body, { ...claim, amount })
  const settleAt = asksOnly ? undefined : deadlineOf(opened)
  await insertObject(tx, 'dispute', { body: opened, hidden: {}, settleAt })
  if (asksOnly) {
    await emitEvent(tx, cause, 'charge.dispute.created', opened)
    return opened
  }
  const dispute = await withdrawFunds(tx, await lockObject(tx, 'dispute', opened.id))
  await emitEvent(tx, cause, 'charge.dispute.created', dispute)
  await emitEvent(tx, cause, 'charge.dispute.funds_withdrawn', dispute)
  return disputes === 'final' ? decideDispute(tx, cause, dispute.id, 'lost') : dispute
}

const deadlineOf = ({ evidence_details: { due_by } }: Stripe.Dispute): Date => new Date((due_by ?? 0) * 1_000)

/** The end of a day, in UTC. */
function dueBy({ now }: Tx): number {
  const day = now.getUTCDate() + EVIDENCE_DAYS
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), day, 23, 59, 59) / 1_000
}

function buildDispute(
  tx: Tx,
  charge: Stripe.Charge,
  { reason, caseType, amount }: Claim & { amount: number },
): Stripe.Dispute {
  const { details, code } = describeMethod(charge, { reason, caseType })
  return {
    id: newId('du'),
    object: 'dispute',
    amount,
    balance_transactions: [],
    charge: charge.id,
    created: toUnixSeconds(tx.now),
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: NO_EVIDENCE,
    evidence_details: {
      due_by: dueBy(tx),
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: caseType === 'inquiry',
    livemode: false,
    metadata: {},
    ...(code && { network_reason_code: code }),
    payment_intent: charge.payment_intent,
    payment_method_details: details,
    reason,
    status: caseType === 'inquiry' ? 'warning_needs_response' : 'needs_response',
  }
}

function describeMethod(
  { payment_method_details: paid }: Stripe.Charge,
  { reason, caseType }: Claim,
): { details: Stripe.Dispute.PaymentMethodDetails; code?: string } {
  const type = paid?.type ?? 'card'
  if (type === 'klarna') return { details: { klarna: { reason_code: reason }, type } }
  if (type !== 'card') return { details: { type } }
  const brand = paid?.card?.brand ?? 'visa'
  const code = (caseType === 'inquiry' ? '10' : NETWORK_CODES[reason]) ?? ''
  return {
    details: { card: { brand, case_type: caseType, network: brand, network_reason_code: code }, type },
    code,
  }
}

const CLOSED = ['won', 'lost', 'warning_closed', 'prevented']

export const isClosed = ({ status }: Stripe.Dispute): boolean => CLOSED.includes(status)

export const isInquiry = ({ status }: Stripe.Dispute): boolean => status.startsWith('warning_')

/** Locks the charge, then the dispute, which must be open. */
export async function lockOpenDispute(tx: Tx, id: string): Promise<Stored<'dispute'>> {
  const { body } = await getObject(tx, 'dispute', id)
  await lockObject(tx, 'charge', String(body.charge))
  const dispute = await lockObject(tx, 'dispute', id)
  if (isClosed(dispute.body)) throw invalidState('This dispute is already closed')
  return dispute
}

/** Records the bank's decision about a chargeback. If the platform wins, it gets the amount back, but not the fee. */
export async function decideDispute(
  tx: Tx,
  cause: Cause,
  id: string,
  status: 'won' | 'lost',
): Promise<Stripe.Dispute> {
  const dispute = await lockOpenDispute(tx, id)
  if (isInquiry(dispute.body)) throw invalidState(`Dispute ${id} is an inquiry, which can only be closed.`)
  const returned = status === 'won' ? await returnFunds(tx, dispute, { amount: true, fee: false }) : null
  return endDispute(tx, cause, dispute, { ...dispute.body, status }, returned)
}

/** Closes an inquiry that does not become a chargeback. */
export async function closeInquiry(tx: Tx, cause: Cause, id: string): Promise<Stripe.Dispute> {
  const dispute = await lockOpenDispute(tx, id)
  if (!isInquiry(dispute.body)) throw invalidState(`Dispute ${id} is not an inquiry.`)
  return endDispute(tx, cause, dispute, { ...dispute.body, status: 'warning_closed' }, null)
}

/** A full refund of the charge resolves its inquiries. */
export async function closeInquiriesOf(tx: Tx, cause: Cause, charge: string): Promise<void> {
  const { data } = await listObjects(tx, 'dispute', '', { limit: 100 }, { charge })
  for (const dispute of data.filter((it) => isInquiry(it) && !isClosed(it))) {
    await closeInquiry(tx, cause, dispute.id)
  }
}

/**
 * Ends a dispute before it becomes a formal chargeback. With `block`, the cardholder gave up and the platform
 * gets its money back. With `resolution`, the cardholder keeps the money. There is no fee in either case.
 */
export async function preventDispute(
  tx: Tx,
  cause: Cause,
  id: string,
  caseType: 'block' | 'resolution',
): Promise<Stripe.Dispute> {
  const dispute = await lockOpenDispute(tx, id)
  const hasWithdrawn = dispute.body.balance_transactions.length > 0
  const returned = hasWithdrawn
    ? await returnFunds(tx, dispute, { amount: caseType === 'block', fee: true })
    : null
  const body = withCaseType({ ...dispute.body, status: 'prevented' }, caseType)
  return endDispute(tx, cause, dispute, body, returned)
}

function withCaseType(
  dispute: Stripe.Dispute,
  caseType: 'block' | 'chargeback' | 'resolution',
): Stripe.Dispute {
  const { payment_method_details: details } = dispute
  if (!details?.card) return dispute
  return {
    ...dispute,
    payment_method_details: { ...details, card: { ...details.card, case_type: caseType } },
  }
}

async function endDispute(
  tx: Tx,
  cause: Cause,
  { id, body: before, hidden }: Stored<'dispute'>,
  after: Stripe.Dispute,
  returned: Stripe.BalanceTransaction | null,
): Promise<Stripe.Dispute> {
  const charge = await getObject(tx, 'charge', String(before.charge))
  const body: Stripe.Dispute = {
    ...after,
    balance_transactions: [...before.balance_transactions, ...(returned ? [returned] : [])],
    is_charge_refundable: disputableAmount(charge) > 0,
  }
  await saveObject(tx, { id, body, hidden })
  await scheduleSettlement(tx, id, null)
  if (returned) await emitEvent(tx, cause, 'charge.dispute.funds_reinstated', body)
  await emitEvent(tx, cause, 'charge.dispute.closed', body, { previous: { status: before.status } })
  return body
}

/** Turns an inquiry into a chargeback about the part that was not refunded. */
export async function escalateInquiry(tx: Tx, cause: Cause, id: string): Promise<Stripe.Dispute> {
  const { body: before } = await lockOpenDispute(tx, id)
  if (!isInquiry(before)) throw invalidState(`Dispute ${id} is not an inquiry.`)
  await failPendingRefunds(tx, cause, String(before.charge))
  const amount = Math.min(
    before.amount,
    disputableAmount(await getObject(tx, 'charge', String(before.charge))),
  )
  if (amount === 0) throw invalidState(`The charge of dispute ${id} was refunded in full.`)
  const escalated: Stripe.Dispute = {
    ...withCaseType(before, 'chargeback'),
    amount,
    evidence_details: {
      ...before.evidence_details,
      due_by: dueBy(tx),
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    is_charge_refundable: false,
    status: 'needs_response',
  }
  const body = await withdrawFunds(tx, { id, body: escalated, hidden: {} })
  await scheduleSettlement(tx, id, deadlineOf(body))
  await emitEvent(tx, cause, 'charge.dispute.updated', body, { previous: { status: before.status } })
  await emitEvent(tx, cause, 'charge.dispute.funds_withdrawn', body)
  return body
}

/** A chargeback without an answer is lost at its deadline. */
export async function settleDispute(tx: Tx, cause: Cause, id: string): Promise<void> {
  const { body } = await getObject(tx, 'dispute', id)
  if (body.status === 'needs_response') await decideDispute(tx, cause, id, 'lost')
  else await scheduleSettlement(tx, id, null)
}
