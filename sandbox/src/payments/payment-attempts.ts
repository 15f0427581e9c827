import type Stripe from 'stripe'
import * as z from 'zod'
import type { Cause } from '../cause.ts'
import type { Tx } from '../database.ts'
import { emitEvent } from '../events.ts'
import { invalidRequest, invalidState } from '../http/api-error.ts'
import { integer, list, text } from '../http/params.ts'
import { type Call, Reply } from '../http/route.ts'
import { newId, randomAlphanumeric } from '../ids.ts'
import { lockObject, saveObject, scheduleSettlement, toUnixSeconds } from '../objects.ts'
import { fundCustomer, payFromCashBalance, returnToCashBalance } from '../payment-methods/cash-balance.ts'
import { voucherDeadline } from '../payment-methods/method-options.ts'
import { isMethodType, type MethodType, ruleOf } from '../payment-methods/method-types.ts'
import { buildNextAction, buildTransferInstructions } from '../payment-methods/next-actions.ts'
import { MICRODEPOSITS, type Outcome, SUCCESS } from '../payment-methods/test-values.ts'
import { findTestCard, type TestCard } from './cards.ts'
import {
  type BankDecision,
  completePayment,
  declinePayment,
  failPayment,
  finishDebit,
  type Intent,
  type Method,
  methodOf,
  paymentError,
  startDebit,
  startProcessing,
} from './payment-outcomes.ts'
import { toPublicIntent } from './public-intent.ts'

const SLOW_SECONDS = 5

type Attempt = Pick<Call, 'tx' | 'cause' | 'key' | 'publicUrl'>

/** Pays with a method and saves the new state of the payment. The caller has locked the payment. */
export async function attemptPayment(
  call: Attempt,
  found: Intent,
  method: Method,
  { return_url: returnUrl, mandate_data: mandate }: PaymentParams,
): Promise<object | Reply> {
  const { tx, cause, key } = call
  const show = (body: Stripe.PaymentIntent) => (key === 'publishable' ? toPublicIntent(body) : body)
  const type = checkType(found.body, method)
  // With a publishable key, the payment form has asked for the consent.
  if (ruleOf(type).flow === 'debit' && key !== 'publishable' && !mandate) throw needsMandate(type)
  await returnToCashBalance(tx, cause, found)
  const intent: Intent = { ...found, hidden: {} }
  const card = findTestCard(method)
  if (!card) return show(await startPayment(call, intent, method, { type, returnUrl: returnUrl ?? null }))
  if (card.authenticates) {
    return show(await requireAction(call, intent, method, { type, returnUrl: returnUrl ?? null }))
  }
  if (card.slow) {
    const processing = { card: {}, type: 'card' } as const
    return show(await startProcessing(tx, cause, intent, method, SLOW_SECONDS, { processing }))
  }
  const { body, error } = await applyBankDecision(tx, cause, intent, method, card, false)
  return error ? new Reply(402, { error: { ...error, payment_intent: show(body) } }) : show(body)
}

function checkType({ payment_method_types }: Stripe.PaymentIntent, { body }: Method): MethodType {
  if (isMethodType(body.type) && payment_method_types.includes(body.type)) return body.type
  throw invalidRequest(
    `The PaymentMethod provided (${body.type}) is not allowed for this PaymentIntent. Please attach a PaymentMethod of one of the following types to this PaymentIntent: ${payment_method_types.join(', ')}.`,
    { code: 'payment_intent_incompatible_payment_method', param: 'payment_method' },
  )
}

interface Start {
  type: MethodType
  returnUrl: string | null
}

async function startPayment(
  call: Attempt,
  intent: Intent,
  method: Method,
  start: Start,
): Promise<Stripe.PaymentIntent> {
  const { tx, cause } = call
  switch (ruleOf(start.type).flow) {
    case 'redirect':
      if (start.returnUrl === null) throw needsReturnUrl(start.type)
      return requireAction(call, intent, method, start)
    case 'debit':
      return method.hidden.outcome?.unverified
        ? requireAction(call, intent, method, start)
        : startDebit(tx, cause, intent, method)
    case 'voucher':
      return requireAction(call, intent, method, start)
    case 'bank_transfer':
      return requireTransfer(call, intent, method, start)
    default:
      return completePayment(tx, cause, intent, method)
  }
}

interface PaymentParams {
  return_url?: string | undefined
  /** The consent of the customer to a debit. */
  mandate_data?: object | undefined
}

const needsMandate = (type: string) =>
  invalidRequest(
    `When confirming a PaymentIntent with a \`${type}\` PaymentMethod, \`mandate_data\` is required.`,
    {
      code: 'parameter_missing',
      param: 'mandate_data',
    },
  )

const needsReturnUrl = (type: string) =>
  invalidRequest(
    `This PaymentIntent requires a return_url to be confirmed with ${type}, because the customer is redirected to another page.`,
    { code: 'payment_intent_redirect_confirmation_without_return_url', param: 'return_url' },
  )

/** Sends the customer to a page of the sandbox: to authenticate, to verify a bank account or to pay a voucher. */
async function requireAction(
  { tx, cause, publicUrl }: Attempt,
  intent: Intent,
  method: Method,
  { type, returnUrl }: Start,
): Promise<Stripe.PaymentIntent> {
  const token = newId('auth')
  const outcome = method.hidden.outcome ?? SUCCESS
  const deadline = deadlineOf(tx, intent.body, type, outcome)
  const body: Stripe.PaymentIntent = {
    ...intent.body,
    next_action: buildNextAction(tx, {
      type,
      url: `${publicUrl}/authenticate/${intent.id}/${token}`,
      returnUrl,
      deadline,
    }),
    payment_method: method.id,
    status: 'requires_action',
  }
  const authentication = { token, paymentMethod: method.id, returnUrl }
  await saveObject(tx, { id: intent.id, body, hidden: { authentication } })
  const afterSeconds = outcome.afterSeconds ?? deadline - toUnixSeconds(tx.now)
  const isVoucher = ruleOf(type).flow === 'voucher'
  await scheduleSettlement(tx, intent.id, isVoucher ? inSeconds(tx, afterSeconds) : null)
  await emitEvent(tx, cause, 'payment_intent.requires_action', body)
  return body
}

const inSeconds = (tx: Tx, seconds: number) => new Date(tx.now.getTime() + seconds * 1_000)

/** When a voucher expires. The test values that expire ignore the options of the payment. */
function deadlineOf(
  tx: Tx,
  intent: Stripe.PaymentIntent,
  type: MethodType,
  { expires, afterSeconds }: Outcome,
): number {
  const now = toUnixSeconds(tx.now)
  if (expires === 'at once') return now
  if (expires === 'with delay') return now + (afterSeconds ?? 0)
  return voucherDeadline(tx, type, intent.payment_method_options)
}

/** Asks for a bank transfer, unless the customer's cash balance is enough. */
async function requireTransfer(
  { tx, cause, publicUrl }: Attempt,
  intent: Intent,
  method: Method,
  { returnUrl }: Start,
): Promise<Stripe.PaymentIntent> {
  const { amount, currency, customer, payment_method_options: options } = intent.body
  if (customer === null) {
    throw invalidRequest('The payment method type customer_balance requires a customer.', {
      code: 'parameter_missing',
      param: 'customer',
    })
  }
  if (options?.customer_balance?.funding_type !== 'bank_transfer') {
    throw invalidRequest('Missing required param: payment_method_options[customer_balance][funding_type].', {
      code: 'parameter_missing',
      param: 'payment_method_options[customer_balance][funding_type]',
    })
  }
  const token = newId('auth')
  const waiting: Intent = {
    id: intent.id,
    body: {
      ...intent.body,
      next_action: buildTransferInstructions({
        amount,
        currency,
        url: `${publicUrl}/authenticate/${intent.id}/${token}`,
        reference: randomAlphanumeric(12).toUpperCase(),
      }),
      payment_method: method.id,
      status: 'requires_action',
    },
    hidden: { authentication: { token, paymentMethod: method.id, returnUrl } },
  }
  await saveObject(tx, waiting)
  await scheduleSettlement(tx, intent.id, null)
  const body = await payFromCashBalance(tx, cause, waiting)
  if (body.status === 'requires_action') {
    await emitEvent(tx, cause, 'payment_intent.requires_action', body)
  }
  return body
}

/** Completes a payment that was processing, or whose voucher is paid or expires. */
export async function settlePayment(tx: Tx, cause: Cause, id: string): Promise<void> {
  const intent = await lockObject(tx, 'payment_intent', id)
  await scheduleSettlement(tx, id, null)
  const { status } = intent.body
  if (status !== 'processing' && status !== 'requires_action') return
  const method = await methodOf(tx, intent)
  const card = findTestCard(method)
  if (status === 'processing') {
    if (card) await applyBankDecision(tx, cause, intent, method, card, false)
    else await finishDebit(tx, cause, intent, method)
  } else if (ruleOf(method.body.type).flow === 'voucher') {
    if (method.hidden.outcome?.expires) await expireVoucher(tx, cause, intent, method)
    else await completePayment(tx, cause, intent, method)
  }
}

const expireVoucher = (tx: Tx, cause: Cause, intent: Intent, method: Method) =>
  failPayment(
    tx,
    cause,
    intent,
    paymentError(
      'payment_intent_payment_attempt_expired',
      'The latest attempt to pay has expired because the customer did not pay the voucher in time.',
      method,
    ),
    null,
  )

/** Accepts or declines the charge, depending on the test card. */
async function applyBankDecision(
  tx: Tx,
  cause: Cause,
  intent: Intent,
  method: Method,
  { decline }: TestCard,
  authenticated: boolean,
): Promise<BankDecision> {
  return decline
    ? declinePayment(tx, cause, intent, method, decline)
    : { body: await completePayment(tx, cause, intent, method, authenticated) }
}

/**
 * Handles the customer's answer on a page of the sandbox. Does nothing unless this page is still needed, for
 * example after a second click or on an outdated page.
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
  const method = await methodOf(tx, intent)
  const card = findTestCard(method)
  if (card && passed) return (await applyBankDecision(tx, cause, intent, method, card, true)).body
  switch (ruleOf(method.body.type).flow) {
    case 'voucher':
      return passed ? completePayment(tx, cause, intent, method) : expireVoucher(tx, cause, intent, method)
    case 'bank_transfer':
      return passed ? sendTransfer(tx, cause, intent) : intent.body
    case 'debit':
      return passed
        ? startDebit(tx, cause, intent, method)
        : failVerification(tx, cause, intent, method, 'attempts exceeded')
    default:
      return passed
        ? completePayment(tx, cause, intent, method)
        : failPayment(tx, cause, intent, authenticationFailure(method), null)
  }
}

const authenticationFailure = (method: Method) => ({
  ...paymentError(
    'payment_intent_authentication_failure',
    'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
    method,
  ),
  type: 'card_error' as const,
})

/** The customer sends what is missing, from the page with the instructions. */
async function sendTransfer(tx: Tx, cause: Cause, { id, body }: Intent): Promise<Stripe.PaymentIntent> {
  const shown = body.next_action?.display_bank_transfer_instructions
  await fundCustomer(tx, cause, String(body.customer), {
    amount: shown?.amount_remaining ?? body.amount,
    currency: body.currency,
    ...(shown?.reference && { reference: shown.reference }),
  })
  return (await lockObject(tx, 'payment_intent', id)).body
}

const failVerification = (
  tx: Tx,
  cause: Cause,
  intent: Intent,
  method: Method,
  result: 'attempts exceeded' | 'timeout',
) =>
  failPayment(
    tx,
    cause,
    intent,
    result === 'timeout'
      ? paymentError(
          'payment_method_microdeposit_verification_timeout',
          'Microdeposit verification timed out.',
          method,
        )
      : paymentError(
          'payment_method_microdeposit_verification_attempts_exceeded',
          'You have exceeded the number of allowed verification attempts.',
          method,
        ),
    null,
  )

export const VerifyParams = z.strictObject({
  amounts: list(integer).optional(),
  descriptor_code: text.optional(),
  client_secret: text.optional(),
  key: text.optional(),
})

/** Verifies a bank account with the amounts or the code of its microdeposits. The caller has locked the payment. */
export async function verifyMicrodeposits(
  tx: Tx,
  cause: Cause,
  intent: Intent,
  { amounts = [], descriptor_code }: z.output<typeof VerifyParams>,
): Promise<Stripe.PaymentIntent> {
  if (intent.body.next_action?.type !== 'verify_with_microdeposits') {
    throw invalidState(
      'You cannot verify microdeposits on this PaymentIntent because it does not require verification.',
      { code: 'payment_intent_unexpected_state' },
    )
  }
  const sorted = amounts.toSorted((a, b) => a - b).join()
  const match = MICRODEPOSITS.find((it) => it.code === descriptor_code || it.amounts.join() === sorted)
  if (!match) {
    throw invalidState('The amounts provided do not match the amounts that were sent to the bank account.', {
      code: descriptor_code
        ? 'payment_method_microdeposit_verification_descriptor_code_mismatch'
        : 'payment_method_microdeposit_verification_amounts_mismatch',
    })
  }
  const method = await methodOf(tx, intent)
  return match.result === 'verified'
    ? startDebit(tx, cause, intent, method)
    : failVerification(tx, cause, intent, method, match.result)
}
