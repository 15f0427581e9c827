import type Stripe from 'stripe'
import * as z from 'zod'
import { presentTransaction } from '../balance.ts'
import type { Cause } from '../cause.ts'
import type { Tx } from '../database.ts'
import { emitEvent } from '../events.ts'
import { invalidState } from '../http/api-error.ts'
import { boolean, mergeMetadata, metadataChange, page, reference } from '../http/params.ts'
import { type Call, route } from '../http/route.ts'
import { listObjects } from '../lists.ts'
import { getObject, saveObject, scheduleSettlement } from '../objects.ts'
import { checkFiles, Evidence } from './dispute-evidence.ts'
import { closeInquiry, decideDispute, escalateInquiry, isInquiry, lockOpenDispute } from './disputes.ts'

/* The platform's options in a dispute: read it, answer it with evidence, or accept it. */

async function retrieveDispute({ tx, id }: Call): Promise<Stripe.Dispute> {
  return presentDispute(tx, (await getObject(tx, 'dispute', id)).body)
}

function presentDispute(tx: Tx, dispute: Stripe.Dispute): Stripe.Dispute {
  const transactions = dispute.balance_transactions.map((body) => presentTransaction(tx, body))
  return { ...dispute, balance_transactions: transactions }
}

const UpdateParams = z.strictObject({
  evidence: Evidence.optional(),
  metadata: metadataChange.optional(),
  submit: boolean.optional(),
})

const updateDispute = ({ tx, cause, id, params }: Call<z.output<typeof UpdateParams>>) =>
  respondToDispute(tx, cause, id, params)

/** Stages evidence, or submits it to the bank. */
export async function respondToDispute(
  tx: Tx,
  cause: Cause,
  id: string,
  { evidence, metadata, submit }: z.output<typeof UpdateParams>,
): Promise<Stripe.Dispute> {
  const dispute = await lockOpenDispute(tx, id)
  const { body: before, hidden } = dispute
  const details = before.evidence_details
  if (evidence && details.submission_count > 0) {
    throw invalidState(`The evidence of dispute ${id} was already submitted.`)
  }
  if (evidence) await checkFiles(tx, evidence)
  const hasEvidence = details.has_evidence || evidence !== undefined
  const submits =
    details.submission_count === 0 && (evidence ? submit !== false : submit === true && hasEvidence)
  const body: Stripe.Dispute = {
    ...before,
    evidence: { ...before.evidence, ...evidence },
    evidence_details: {
      ...details,
      has_evidence: hasEvidence,
      ...(submits && { submission_count: 1, submission_method: 'manual' }),
    },
    metadata: mergeMetadata(before.metadata, metadata),
    ...(submits && { status: isInquiry(before) ? 'warning_under_review' : 'under_review' }),
  }
  await saveObject(tx, { id, body, hidden })
  if (submits) await scheduleSettlement(tx, id, null)
  await emitEvent(tx, cause, 'charge.dispute.updated', body, { previous: { status: before.status } })
  return submits ? applyTestEvidence(tx, cause, body) : body
}

/** As in Stripe's test mode, some evidence texts decide a dispute. */
async function applyTestEvidence(tx: Tx, cause: Cause, dispute: Stripe.Dispute): Promise<Stripe.Dispute> {
  const { id, evidence } = dispute
  switch (evidence.uncategorized_text) {
    case 'winning_evidence':
      return isInquiry(dispute) ? closeInquiry(tx, cause, id) : decideDispute(tx, cause, id, 'won')
    case 'losing_evidence':
      return isInquiry(dispute) ? closeInquiry(tx, cause, id) : decideDispute(tx, cause, id, 'lost')
    case 'escalate_inquiry_evidence':
      return isInquiry(dispute) ? escalateInquiry(tx, cause, id) : dispute
    default:
      return dispute
  }
}

/** Accepts a dispute. */
async function closeDispute({ tx, cause, id }: Call): Promise<Stripe.Dispute> {
  const { body } = await lockOpenDispute(tx, id)
  return isInquiry(body) ? closeInquiry(tx, cause, id) : decideDispute(tx, cause, id, 'lost')
}

const ListParams = z.strictObject({
  ...page,
  charge: reference.optional(),
  payment_intent: reference.optional(),
})

async function listDisputes({
  tx,
  params: { charge, payment_intent, ...page },
}: Call<z.output<typeof ListParams>>) {
  const listed = await listObjects(tx, 'dispute', '/v1/disputes', page, { charge, payment_intent })
  return { ...listed, data: listed.data.map((dispute) => presentDispute(tx, dispute)) }
}

export const disputeRoutes = [
  route('GET', '/v1/disputes', ListParams, listDisputes),
  route('GET', '/v1/disputes/:id', z.strictObject({}), retrieveDispute),
  route('POST', '/v1/disputes/:id', UpdateParams, updateDispute),
  route('POST', '/v1/disputes/:id/close', z.strictObject({}), closeDispute),
]
