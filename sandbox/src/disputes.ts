import type Stripe from 'stripe'
import * as z from 'zod'
import { invalidState } from './api-error.ts'
import { lockBalanceShared, recordMovement } from './balance.ts'
import type { Cause } from './cause.ts'
import type { Tx } from './database.ts'
import { emitEvent } from './events.ts'
import { newId } from './ids.ts'
import { listObjects } from './lists.ts'
import { getObject, insertObject, lockObject, type Stored, saveObject, toUnixSeconds } from './objects.ts'
import { boolean, mergeMetadata, metadataChange, page, reference } from './params.ts'
import { type Call, route } from './route.ts'

const EVIDENCE_DAYS = 14

export type DisputeReason = 'fraudulent' | 'product_not_received'

/** Opens a chargeback and withdraws the unrefunded amount from the platform. The caller has locked the charge. */
export async function disputeCharge(
  tx: Tx,
  cause: Cause,
  charge: Stored<'charge'>,
  reason: DisputeReason,
): Promise<Stripe.Dispute> {
  const amount = charge.body.amount - charge.body.amount_refunded
  if (charge.body.disputed || amount === 0 || charge.body.status !== 'succeeded') {
    throw invalidState(`Charge ${charge.id} cannot be disputed.`, { code: 'charge_disputed' })
  }
  await lockBalanceShared(tx)
  const id = newId('du')
  const { currency } = charge.body
  const entry = await recordMovement(tx, { type: 'adjustment', amount: -amount, currency, source: id })
  const taken = await getObject(tx, 'balance_transaction', entry)
  const dispute = buildDispute(tx, id, charge.body, amount, reason, taken.body)
  await insertObject(tx, 'dispute', { body: dispute, hidden: {} })
  await saveObject(tx, {
    id: charge.id,
    body: { ...charge.body, disputed: true },
    hidden: { ...charge.hidden, withdrawn: amount },
  })
  await emitEvent(tx, cause, 'charge.dispute.created', dispute)
  await emitEvent(tx, cause, 'charge.dispute.funds_withdrawn', dispute)
  return dispute
}

function buildDispute(
  tx: Tx,
  id: string,
  charge: Stripe.Charge,
  amount: number,
  reason: DisputeReason,
  taken: Stripe.BalanceTransaction,
): Stripe.Dispute {
  const brand = charge.payment_method_details?.card?.brand ?? 'visa'
  const networkReason = reason === 'fraudulent' ? '10.4' : '13.1'
  return {
    id,
    object: 'dispute',
    amount,
    balance_transactions: [taken],
    charge: charge.id,
    created: toUnixSeconds(tx.now),
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: NO_EVIDENCE,
    evidence_details: {
      due_by: toUnixSeconds(tx.now) + EVIDENCE_DAYS * 86_400,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    network_reason_code: networkReason,
    payment_intent: charge.payment_intent,
    payment_method_details: {
      card: { brand, case_type: 'chargeback', network: brand, network_reason_code: networkReason },
      type: 'card',
    },
    reason,
    status: 'needs_response',
  }
}

const NO_EVIDENCE: Stripe.Dispute.Evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
}

/** Records the decision of the bank. If the platform won, it gets the money back. */
export async function closeDispute(
  tx: Tx,
  cause: Cause,
  id: string,
  status: 'won' | 'lost',
): Promise<Stripe.Dispute> {
  const dispute = await lockObject(tx, 'dispute', id)
  if (dispute.body.status === 'won' || dispute.body.status === 'lost') {
    throw invalidState(`This dispute is already closed: ${id}.`)
  }
  const body: Stripe.Dispute = { ...dispute.body, status }
  if (status === 'won')
    body.balance_transactions = [...body.balance_transactions, await returnFunds(tx, body)]
  await saveObject(tx, { ...dispute, body })
  await emitEvent(tx, cause, 'charge.dispute.closed', body)
  if (status === 'won') await emitEvent(tx, cause, 'charge.dispute.funds_reinstated', body)
  return body
}

async function returnFunds(tx: Tx, dispute: Stripe.Dispute): Promise<Stripe.BalanceTransaction> {
  const charge = await lockObject(tx, 'charge', String(dispute.charge))
  await lockBalanceShared(tx)
  const { amount, currency, id } = dispute
  const entry = await recordMovement(tx, { type: 'adjustment', amount, currency, source: id })
  await saveObject(tx, { ...charge, hidden: { ...charge.hidden, withdrawn: 0 } })
  return (await getObject(tx, 'balance_transaction', entry)).body
}

async function retrieveDispute({ tx, id }: Call): Promise<Stripe.Dispute> {
  return (await getObject(tx, 'dispute', id)).body
}

/** As in Stripe's test mode, these evidence texts decide a dispute. */
const DECISIVE_EVIDENCE: Record<string, 'won' | 'lost'> = {
  winning_evidence: 'won',
  losing_evidence: 'lost',
}

const UpdateParams = z.strictObject({
  evidence: z.strictObject({ uncategorized_text: z.string().optional() }).optional(),
  metadata: metadataChange.optional(),
  submit: boolean.optional(),
})

async function updateDispute({
  tx,
  cause,
  id,
  params: { evidence, metadata, submit },
}: Call<z.output<typeof UpdateParams>>): Promise<Stripe.Dispute> {
  const dispute = await lockObject(tx, 'dispute', id)
  if (dispute.body.status !== 'needs_response' && evidence) {
    throw invalidState(`Evidence can no longer be added to this dispute: ${id}.`)
  }
  const submitted = evidence !== undefined && submit !== false
  const body: Stripe.Dispute = {
    ...dispute.body,
    evidence: { ...dispute.body.evidence, ...evidence },
    evidence_details: {
      ...dispute.body.evidence_details,
      has_evidence: dispute.body.evidence_details.has_evidence || evidence !== undefined,
      ...(submitted && { submission_count: 1, submission_method: 'manual' }),
    },
    metadata: mergeMetadata(dispute.body.metadata, metadata),
    ...(submitted && { status: 'under_review' }),
  }
  await saveObject(tx, { ...dispute, body })
  const decision = submitted && DECISIVE_EVIDENCE[evidence?.uncategorized_text ?? '']
  return decision ? closeDispute(tx, cause, id, decision) : body
}

const ListParams = z.strictObject({
  ...page,
  charge: reference.optional(),
  payment_intent: reference.optional(),
})

const listDisputes = ({
  tx,
  params: { charge, payment_intent, ...page },
}: Call<z.output<typeof ListParams>>) =>
  listObjects(tx, 'dispute', '/v1/disputes', page, { charge, payment_intent })

export const disputeRoutes = [
  route('GET', '/v1/disputes', ListParams, listDisputes),
  route('GET', '/v1/disputes/:id', z.strictObject({}), retrieveDispute),
  route('POST', '/v1/disputes/:id', UpdateParams, updateDispute),
  route('POST', '/v1/disputes/:id/close', z.strictObject({}), ({ tx, cause, id }) =>
    closeDispute(tx, cause, id, 'lost'),
  ),
]
