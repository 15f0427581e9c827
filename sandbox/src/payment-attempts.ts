import type Stripe from 'stripe'
import type { ErrorBody } from './api-error.ts'
import { type Decline, getTestCard } from './cards.ts'
import type { Cause } from './cause.ts'
import { chargeCard, failCharge } from './charges.ts'
import type { Tx } from './database.ts'
import { emitEvent } from './events.ts'
import { newId } from './ids.ts'
import { getObject, lockObject, type Stored, saveObject, scheduleSettlement } from './objects.ts'
import { toPublicIntent } from './public-intent.ts'
import { type Call, Reply } from './route.ts'
import { applyTestCard } from './test-card-effects.ts'

type Intent = Stored<'payment_intent'>
type Method = Stored<'payment_method'>

const SLOW_SECONDS = 5

/** Charges the card and saves the new state of the payment. The caller has locked the payment. */
export async function attemptPayment(
  call: Pick<Call, 'tx' | 'cause' | 'key' | 'publicUrl'>,
  intent: Intent,
  method: Method,
  returnUrl: string | undefined,
): Promise<object | Reply> {
  const { tx, cause, key } = call
  const show = (body: Stripe.PaymentIntent) => (key === 'publishable' ? toPublicIntent(body) : body)
  const card = getTestCard(method.hidden.card)
  if (card.authenticates) return show(await requireAuthentication(call, intent, method, returnUrl ?? null))
  if (card.slow) return show(await startProcessing(tx, cause, intent, method))
  const { body, error } = await applyBankDecision(tx, cause, intent, method, false)
  return error ? new Reply(402, { error: { ...error, payment_intent: show(body) } }) : show(body)
}

/** Redirects the customer to the authentication page of the sandbox. */
async function requireAuthentication(
  { tx, cause, publicUrl }: Pick<Call, 'tx' | 'cause' | 'publicUrl'>,
  intent: Intent,
  method: Method,
  returnUrl: string | null,
): Promise<Stripe.PaymentIntent> {
  const token = newId('auth')
  const body: Stripe.PaymentIntent = {
    ...intent.body,
    next_action: {
      redirect_to_url: { return_url: returnUrl, url: `${publicUrl}/authenticate/${intent.id}/${token}` },
      type: 'redirect_to_url',
    },
    payment_method: method.id,
    status: 'requires_action',
  }
  const authentication = { token, paymentMethod: method.id, returnUrl }
  await saveObject(tx, { id: intent.id, body, hidden: { authentication } })
  await emitEvent(tx, cause, 'payment_intent.requires_action', body)
  return body
}

async function startProcessing(
  tx: Tx,
  cause: Cause,
  intent: Intent,
  method: Method,
): Promise<Stripe.PaymentIntent> {
  const body: Stripe.PaymentIntent = {
    ...intent.body,
    last_payment_error: null,
    next_action: null,
    payment_method: method.id,
    processing: { card: {}, type: 'card' },
    status: 'processing',
  }
  await saveObject(tx, { id: intent.id, body, hidden: {} })
  await scheduleSettlement(tx, intent.id, new Date(tx.now.getTime() + SLOW_SECONDS * 1_000))
  await emitEvent(tx, cause, 'payment_intent.processing', body)
  return body
}

/** Completes a payment that was processing. */
export async function settlePayment(tx: Tx, cause: Cause, id: string): Promise<void> {
  const intent = await lockObject(tx, 'payment_intent', id)
  await scheduleSettlement(tx, id, null)
  if (intent.body.status !== 'processing') return
  const method = await getObject(tx, 'payment_method', String(intent.body.payment_method))
  await applyBankDecision(tx, cause, intent, method, false)
}

interface BankDecision {
  body: Stripe.PaymentIntent
  error?: ErrorBody
}

/** Accepts or declines the charge, depending on the test card. */
async function applyBankDecision(
  tx: Tx,
  cause: Cause,
  intent: Intent,
  method: Method,
  authenticated: boolean,
): Promise<BankDecision> {
  const { decline } = getTestCard(method.hidden.card)
  return decline
    ? declinePayment(tx, cause, intent, method, decline)
    : { body: await completePayment(tx, cause, intent, method, authenticated) }
}

async function completePayment(
  tx: Tx,
  cause: Cause,
  intent: Intent,
  method: Method,
  authenticated: boolean,
): Promise<Stripe.PaymentIntent> {
  const charge = await chargeCard(tx, cause, intent.body, method, authenticated)
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
  await emitEvent(tx, cause, 'payment_intent.succeeded', body)
  await applyTestCard(tx, cause, charge, getTestCard(method.hidden.card))
  return body
}

async function declinePayment(
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

/** Saves the error and lets the customer try another card. */
async function failPayment(
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
  await emitEvent(tx, cause, 'payment_intent.payment_failed', body)
  return body
}

/**
 * Handles the customer's answer on the authentication page. Does nothing unless this authentication is
 * pending, for example after a second click or on an outdated page.
 */
export async function finishAuthentication(
  tx: Tx,
  cause: Cause,
  id: string,
  token: string,
  passed: boolean,
): Promise<Stripe.PaymentIntent> {
  const intent = await lockObject(tx, 'payment_intent', id)
  const { authentication } = intent.hidden
  if (intent.body.status !== 'requires_action' || authentication?.token !== token) return intent.body
  const method = await getObject(tx, 'payment_method', authentication.paymentMethod)
  if (passed) return (await applyBankDecision(tx, cause, intent, method, true)).body
  const error: ErrorBody = {
    code: 'payment_intent_authentication_failure',
    message:
      'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
    payment_method: method.body,
    type: 'card_error',
  }
  return failPayment(tx, cause, intent, error, null)
}
