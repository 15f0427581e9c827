import type Stripe from 'stripe'
import type { Cause } from '../cause.ts'
import { completeCharge, failCharge, recordCharge, returnCharge } from '../charges.ts'
import type { Tx } from '../database.ts'
import { openDispute } from '../disputes/disputes.ts'
import { emitEvent } from '../events.ts'
import type { ErrorBody } from '../http/api-error.ts'
import { getObject, lockObject, type Stored, saveObject, scheduleSettlement } from '../objects.ts'
import { DEBIT_FAILURES, SUCCESS } from '../payment-methods/test-values.ts'
import { type Decline, findTestCard } from './cards.ts'
import { applyTestCard } from './test-card-effects.ts'

/* How a payment ends. The caller has locked the payment. */

export type Intent = Stored<'payment_intent'>
export type Method = Stored<'payment_method'>

/** Charges the customer and completes the payment. */
export async function completePayment(
  tx: Tx,
  cause: Cause,
  intent: Intent,
  method: Method,
  authenticated = false,
): Promise<Stripe.PaymentIntent> {
  const charge = await recordCharge(tx, cause, intent.body, method, { authenticated })
  return markSucceeded(tx, cause, intent, method, charge)
}

async function markSucceeded(
  tx: Tx,
  cause: Cause,
  intent: Intent,
  method: Method,
  charge: Stored<'charge'>,
): Promise<Stripe.PaymentIntent> {
  const body: Stripe.PaymentIntent = {
    ...intent.body,
    amount_received: intent.body.amount,
    last_payment_error: null,
    latest_charge: charge.id,
    next_action: null,
    payment_method: method.id,
    processing: null,
    status: 'succeeded',
  }
  await saveObject(tx, { ...intent, body })
  await scheduleSettlement(tx, intent.id, null)
  await emitEvent(tx, cause, 'payment_intent.succeeded', body)
  const card = findTestCard(method)
  if (card) await applyTestCard(tx, cause, charge, card)
  if (method.hidden.outcome?.disputed) {
    const locked = await lockObject(tx, 'charge', charge.id)
    await openDispute(tx, cause, locked, { reason: 'debit_not_authorized', caseType: 'chargeback' })
  }
  return body
}

/** Starts to collect the money from a bank account. */
export async function startDebit(
  tx: Tx,
  cause: Cause,
  intent: Intent,
  method: Method,
): Promise<Stripe.PaymentIntent> {
  const charge = await recordCharge(tx, cause, intent.body, method, { pending: true })
  const { afterSeconds } = method.hidden.outcome ?? SUCCESS
  return startProcessing(tx, cause, intent, method, afterSeconds, { latest_charge: charge.id })
}

/** A payment that stays in `processing` for some seconds, or for ever. */
export async function startProcessing(
  tx: Tx,
  cause: Cause,
  intent: Intent,
  method: Method,
  afterSeconds: number | null,
  change: Pick<Stripe.PaymentIntent, 'latest_charge'> | Pick<Stripe.PaymentIntent, 'processing'>,
): Promise<Stripe.PaymentIntent> {
  const body: Stripe.PaymentIntent = {
    ...intent.body,
    last_payment_error: null,
    next_action: null,
    payment_method: method.id,
    status: 'processing',
    ...change,
  }
  await saveObject(tx, { id: intent.id, body, hidden: intent.hidden })
  const due = afterSeconds === null ? null : new Date(tx.now.getTime() + afterSeconds * 1_000)
  await scheduleSettlement(tx, intent.id, due)
  await emitEvent(tx, cause, 'payment_intent.processing', body)
  return body
}

/** The bank pays a debit, or refuses to. */
export async function finishDebit(tx: Tx, cause: Cause, intent: Intent, method: Method): Promise<void> {
  const charge = await lockObject(tx, 'charge', String(intent.body.latest_charge))
  const { failure } = method.hidden.outcome ?? SUCCESS
  if (!failure) {
    await markSucceeded(tx, cause, intent, method, await completeCharge(tx, cause, charge))
    return
  }
  await returnCharge(tx, cause, charge, failure)
  const error = paymentError(failure, DEBIT_FAILURES[failure] ?? 'The payment failed.', method)
  await failPayment(tx, cause, intent, { ...error, charge: charge.id }, charge.id)
}

/** A debit that is canceled while it is processing. */
export async function cancelDebit(tx: Tx, cause: Cause, { body }: Intent): Promise<void> {
  const charge = await lockObject(tx, 'charge', String(body.latest_charge))
  await returnCharge(tx, cause, charge, 'generic_could_not_process')
}

export const paymentError = (code: string, message: string, method: Method): ErrorBody => ({
  code,
  message,
  payment_method: method.body,
  type: 'invalid_request_error',
})

export interface BankDecision {
  body: Stripe.PaymentIntent
  error?: ErrorBody
}

export async function declinePayment(
  tx: Tx,
  cause: Cause,
  intent: Intent,
  method: Method,
  decline: Decline,
): Promise<BankDecision> {
  const charge = await failCharge(tx, cause, intent.body, method, decline)
  const error: ErrorBody = {
    charge: charge.id,
    code: decline.code,
    ...(decline.declineCode && { decline_code: decline.declineCode }),
    message: decline.message,
    payment_method: method.body,
    type: 'card_error',
  }
  return { body: await failPayment(tx, cause, intent, error, charge.id), error }
}

/** Saves the error and lets the customer try another payment method. */
export async function failPayment(
  tx: Tx,
  cause: Cause,
  intent: Intent,
  { payment_intent: _, ...error }: ErrorBody,
  charge: string | null,
): Promise<Stripe.PaymentIntent> {
  const body: Stripe.PaymentIntent = {
    ...intent.body,
    last_payment_error: error,
    latest_charge: charge ?? intent.body.latest_charge,
    next_action: null,
    payment_method: null,
    processing: null,
    status: 'requires_payment_method',
  }
  await saveObject(tx, { ...intent, body })
  await scheduleSettlement(tx, intent.id, null)
  await emitEvent(tx, cause, 'payment_intent.payment_failed', body)
  return body
}

/** The payment method that the customer has just used. */
export const methodOf = (tx: Tx, { body, hidden }: Intent): Promise<Method> =>
  getObject(tx, 'payment_method', hidden.authentication?.paymentMethod ?? String(body.payment_method))
