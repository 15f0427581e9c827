import type Stripe from 'stripe'
import * as z from 'zod'
import type { Cause } from '../cause.ts'
import { firstRow, type Tx } from '../database.ts'
import { emitEvent } from '../events.ts'
import { invalidState } from '../http/api-error.ts'
import { page, reference } from '../http/params.ts'
import { type Call, route } from '../http/route.ts'
import { newId } from '../ids.ts'
import { listObjects } from '../lists.ts'
import { getObject, insertObject, lockObject, type Stored, saveObject, toUnixSeconds } from '../objects.ts'

/** Records that the card network suspects fraud. No money moves. */
export async function warnOfFraud(tx: Tx, cause: Cause, charge: Stripe.Charge): Promise<void> {
  const body: Stripe.Radar.EarlyFraudWarning = {
    id: newId('issfr'),
    object: 'radar.early_fraud_warning',
    actionable: true,
    charge: charge.id,
    created: toUnixSeconds(tx.now),
    fraud_type: 'made_with_stolen_card',
    livemode: false,
    ...(charge.payment_intent && { payment_intent: charge.payment_intent }),
  }
  await insertObject(tx, 'early_fraud_warning', { body, hidden: {} })
  await emitEvent(tx, cause, 'radar.early_fraud_warning.created', body)
}

/** Puts a charge with an elevated risk into review. The caller has locked the charge. */
export async function openReview(tx: Tx, cause: Cause, charge: Stored<'charge'>): Promise<void> {
  const body: Stripe.Review = {
    id: newId('prv'),
    object: 'review',
    billing_zip: charge.body.billing_details.address?.postal_code ?? null,
    charge: charge.id,
    closed_reason: null,
    created: toUnixSeconds(tx.now),
    ip_address: null,
    ip_address_location: null,
    livemode: false,
    open: true,
    opened_reason: 'rule',
    ...(charge.body.payment_intent && { payment_intent: charge.body.payment_intent }),
    reason: 'rule',
    session: null,
  }
  await insertObject(tx, 'review', { body, hidden: {} })
  const outcome = charge.body.outcome && {
    ...charge.body.outcome,
    reason: 'elevated_risk_level',
    risk_level: 'elevated',
    risk_score: 65,
    type: 'manual_review',
  }
  await saveObject(tx, { ...charge, body: { ...charge.body, outcome, review: body.id } })
  if (charge.body.payment_intent) {
    const intent = await lockObject(tx, 'payment_intent', String(charge.body.payment_intent))
    await saveObject(tx, { ...intent, body: { ...intent.body, review: body.id } })
  }
  await emitEvent(tx, cause, 'review.opened', body)
}

/** A charge that was refunded or disputed needs no review any more, and its fraud warning needs no action. */
export async function endRadarCases(
  tx: Tx,
  cause: Cause,
  charge: Stripe.Charge,
  reason: 'disputed' | 'refunded',
): Promise<void> {
  if (charge.review) {
    const review = await lockObject(tx, 'review', String(charge.review))
    if (review.body.open) await closeReview(tx, cause, review, reason)
  }
  const warning = firstRow(
    await tx.query<Stored<'early_fraud_warning'>>(
      `select id, body, hidden from sandbox.objects
       where kind = 'early_fraud_warning' and body ->> 'charge' = $1 and (body ->> 'actionable')::boolean
       for update`,
      [charge.id],
    ),
  )
  if (!warning) return
  const body = { ...warning.body, actionable: false }
  await saveObject(tx, { ...warning, body })
  await emitEvent(tx, cause, 'radar.early_fraud_warning.updated', body, { previous: { actionable: true } })
}

async function closeReview(
  tx: Tx,
  cause: Cause,
  review: Stored<'review'>,
  reason: Stripe.Review.ClosedReason,
): Promise<Stripe.Review> {
  const body: Stripe.Review = { ...review.body, closed_reason: reason, open: false, reason }
  await saveObject(tx, { ...review, body })
  await emitEvent(tx, cause, 'review.closed', body, {
    previous: { closed_reason: null, open: true, reason: review.body.reason },
  })
  return body
}

export async function approveReview(tx: Tx, cause: Cause, id: string): Promise<Stripe.Review> {
  const review = await lockObject(tx, 'review', id)
  if (!review.body.open) throw invalidState(`The review ${id} is already closed.`)
  return closeReview(tx, cause, review, 'approved')
}

const WarningListParams = z.strictObject({
  ...page,
  charge: reference.optional(),
  payment_intent: reference.optional(),
})

const listWarnings = ({
  tx,
  params: { charge, payment_intent, ...page },
}: Call<z.output<typeof WarningListParams>>) =>
  listObjects(tx, 'early_fraud_warning', '/v1/radar/early_fraud_warnings', page, { charge, payment_intent })

async function retrieveWarning({ tx, id }: Call): Promise<Stripe.Radar.EarlyFraudWarning> {
  return (await getObject(tx, 'early_fraud_warning', id)).body
}

const ReviewListParams = z.strictObject(page)

const listReviews = ({ tx, params }: Call<z.output<typeof ReviewListParams>>) =>
  listObjects(tx, 'review', '/v1/reviews', params, { open: 'true' })

async function retrieveReview({ tx, id }: Call): Promise<Stripe.Review> {
  return (await getObject(tx, 'review', id)).body
}

export const radarRoutes = [
  route('GET', '/v1/radar/early_fraud_warnings', WarningListParams, listWarnings),
  route('GET', '/v1/radar/early_fraud_warnings/:id', z.strictObject({}), retrieveWarning),
  route('GET', '/v1/reviews', ReviewListParams, listReviews),
  route('GET', '/v1/reviews/:id', z.strictObject({}), retrieveReview),
  route('POST', '/v1/reviews/:id/approve', z.strictObject({}), ({ tx, cause, id }) =>
    approveReview(tx, cause, id),
  ),
]
