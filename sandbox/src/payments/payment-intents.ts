import type Stripe from 'stripe'
import * as z from 'zod'
import type { Cause } from '../cause.ts'
import { largestChargeIn, SMALLEST_CHARGES } from '../currencies.ts'
import { buildAddress } from '../customers.ts'
import type { Tx } from '../database.ts'
import { emitEvent } from '../events.ts'
import { settle } from '../exchange-rates.ts'
import { invalidRequest, invalidState, unauthorized } from '../http/api-error.ts'
import {
  address,
  boolean,
  currency,
  integer,
  mergeMetadata,
  metadata,
  metadataChange,
  page,
  reference,
  text,
  url,
} from '../http/params.ts'
import { type Call, type Reply, route } from '../http/route.ts'
import { newId, randomAlphanumeric } from '../ids.ts'
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
import { returnToCashBalance } from '../payment-methods/cash-balance.ts'
import { CONFIGURATION_DETAILS } from '../payment-methods/configurations.ts'
import { MethodData } from '../payment-methods/method-data.ts'
import {
  AutomaticParam,
  buildOptions,
  chooseTypes,
  OptionParams,
  TypesParam,
} from '../payment-methods/method-options.ts'
import { createMethod, findOrCreateMethod } from '../payment-methods/payment-methods.ts'
import { attemptPayment, VerifyParams, verifyMicrodeposits } from './payment-attempts.ts'
import { cancelDebit, methodOf } from './payment-outcomes.ts'
import { toPublicIntent } from './public-intent.ts'

const descriptionParams = {
  description: text.optional(),
  receipt_email: text.optional(),
  statement_descriptor: text.optional(),
  statement_descriptor_suffix: text.optional(),
  transfer_group: text.optional(),
}

const Shipping = z.strictObject({
  address,
  carrier: text.optional(),
  name: text,
  phone: text.optional(),
  tracking_number: text.optional(),
})

type Shipping = z.output<typeof Shipping>

const buildShipping = ({ address, ...rest }: Shipping): Stripe.PaymentIntent.Shipping => ({
  address: buildAddress(address),
  carrier: null,
  phone: null,
  tracking_number: null,
  ...rest,
})

/** The consent of the customer, which debits need. */
const Mandate = z.looseObject({ customer_acceptance: z.looseObject({}) }).optional()

const paymentParams = {
  mandate_data: Mandate,
  payment_method_options: OptionParams.optional(),
  payment_method: reference.optional(),
  payment_method_data: MethodData.optional(),
  return_url: url.optional(),
}

const CreateParams = z.strictObject({
  amount: integer,
  currency,
  customer: reference.optional(),
  metadata: metadata.optional(),
  allowed_payment_method_types: TypesParam.optional(),
  automatic_payment_methods: AutomaticParam.optional(),
  excluded_payment_method_types: TypesParam.optional(),
  payment_method_types: TypesParam.optional(),
  capture_method: z.enum(['automatic', 'automatic_async']).optional(),
  confirm: boolean.optional(),
  on_behalf_of: reference.optional(),
  shipping: Shipping.optional(),
  ...descriptionParams,
  ...paymentParams,
})

async function createIntent(call: Call<z.output<typeof CreateParams>>): Promise<object | Reply> {
  const { tx, cause, params } = call
  await checkAmount(tx, params.amount, params.currency)
  if (params.customer) await getObject(tx, 'customer', params.customer, 'customer')
  if (params.on_behalf_of) await getObject(tx, 'account', params.on_behalf_of, 'on_behalf_of')
  const types = await chooseTypes(tx, params)
  const method = await methodFromParams(call)
  if (params.confirm && !method) throw cannotConfirm()
  const isAutomatic = params.payment_method_types === undefined
  const id = newId('pi')
  const body: Stripe.PaymentIntent = {
    ...NEW_INTENT,
    id,
    allowed_payment_method_types: params.allowed_payment_method_types ?? null,
    amount: params.amount,
    automatic_payment_methods: isAutomatic
      ? { allow_redirects: params.automatic_payment_methods?.allow_redirects ?? 'always', enabled: true }
      : null,
    capture_method: params.capture_method ?? 'automatic_async',
    client_secret: `${id}_secret_${randomAlphanumeric(25)}`,
    created: toUnixSeconds(tx.now),
    currency: params.currency,
    customer: params.customer ?? null,
    description: params.description ?? null,
    excluded_payment_method_types: params.excluded_payment_method_types ?? null,
    metadata: mergeMetadata({}, params.metadata),
    on_behalf_of: params.on_behalf_of ?? null,
    payment_method: method?.id ?? null,
    payment_method_configuration_details: isAutomatic ? CONFIGURATION_DETAILS : null,
    payment_method_options: buildOptions(types, null, params.payment_method_options),
    payment_method_types: types,
    receipt_email: params.receipt_email ?? null,
    shipping: params.shipping ? buildShipping(params.shipping) : null,
    statement_descriptor: params.statement_descriptor ?? null,
    statement_descriptor_suffix: params.statement_descriptor_suffix ?? null,
    status: method ? 'requires_confirmation' : 'requires_payment_method',
    transfer_group: params.transfer_group ?? null,
  }
  const intent = await insertObject(tx, 'payment_intent', { body, hidden: {} })
  await emitEvent(tx, cause, 'payment_intent.created', body)
  return params.confirm && method ? attemptPayment(call, intent, method, params) : body
}

const NEW_INTENT = {
  object: 'payment_intent',
  amount_capturable: 0,
  amount_details: { tip: {} },
  amount_received: 0,
  application: null,
  application_fee_amount: null,
  canceled_at: null,
  cancellation_reason: null,
  confirmation_method: 'automatic',
  customer_account: null,
  last_payment_error: null,
  latest_charge: null,
  livemode: false,
  managed_payments: null,
  next_action: null,
  payment_record: null,
  processing: null,
  review: null,
  setup_future_usage: null,
  source: null,
} satisfies Partial<Stripe.PaymentIntent>

async function checkAmount(tx: Tx, amount: number, currency: string): Promise<void> {
  if (amount < 0)
    throw invalidRequest('Invalid non-negative integer', {
      code: 'parameter_invalid_integer',
      param: 'amount',
    })
  await checkSmallest(tx, amount, currency)
  const largest = largestChargeIn(currency)
  if (amount > largest) {
    throw invalidRequest(`Amount must be no more than ${formatMoney(largest, currency)}`, {
      code: 'amount_too_large',
      param: 'amount',
    })
  }
  checkStep(amount, currency)
}

/** Where Stripe publishes no smallest charge, what is left after the conversion must not be too small. */
async function checkSmallest(tx: Tx, amount: number, currency: string): Promise<void> {
  const tooSmall = (message: string) => invalidRequest(message, { code: 'amount_too_small', param: 'amount' })
  const smallest = SMALLEST_CHARGES[currency]
  if (smallest !== undefined) {
    if (amount >= smallest) return
    throw tooSmall(`Amount must be at least ${formatMoney(smallest, currency)}`)
  }
  const settled = await settle(tx, null, amount, currency)
  const least = SMALLEST_CHARGES[settled.currency]
  if (least === undefined || settled.amount >= least) return
  const [converted, needed] = [settled.amount, least].map((it) => formatMoney(it, settled.currency))
  throw tooSmall(
    `Amount must convert to at least ${needed}. ${formatMoney(amount, currency)} converts to approximately ${converted}.`,
  )
}

async function methodFromParams({
  tx,
  params,
}: Call<{
  payment_method?: string | undefined
  payment_method_data?: z.output<typeof MethodData> | undefined
}>) {
  if (params.payment_method && params.payment_method_data) {
    throw invalidRequest(
      'You may only specify one of these parameters: payment_method, payment_method_data.',
      {
        code: 'parameters_exclusive',
      },
    )
  }
  if (params.payment_method_data) return createMethod(tx, params.payment_method_data)
  return params.payment_method ? findOrCreateMethod(tx, params.payment_method) : undefined
}

const RetrieveParams = z.strictObject({ client_secret: text.optional(), key: text.optional() })

async function retrieveIntent(call: Call<z.output<typeof RetrieveParams>>): Promise<object> {
  const { body } = await getObject(call.tx, 'payment_intent', call.id)
  checkSecret(call, body)
  return call.key === 'publishable' ? toPublicIntent(body) : body
}

/** A publishable key requires the client secret of the payment. */
function checkSecret(
  { key, params }: Call<{ client_secret?: string | undefined }>,
  intent: Stripe.PaymentIntent,
): void {
  if (key === 'secret' && params.client_secret === undefined) return
  if (params.client_secret === intent.client_secret) return
  throw key === 'publishable' && params.client_secret === undefined
    ? unauthorized(
        'A publishable key has to come with the client_secret of the PaymentIntent.',
        'secret_key_required',
      )
    : invalidRequest(
        'The client_secret provided does not match the client_secret associated with the PaymentIntent.',
        {
          code: 'payment_intent_invalid_parameter',
          param: 'client_secret',
        },
      )
}

const ConfirmParams = z.strictObject({
  client_secret: text.optional(),
  key: text.optional(),
  receipt_email: text.optional(),
  shipping: Shipping.optional(),
  ...paymentParams,
})

const CONFIRMABLE = new Set(['requires_payment_method', 'requires_confirmation', 'requires_action'])

async function confirmIntent(call: Call<z.output<typeof ConfirmParams>>): Promise<object | Reply> {
  const { tx, id, params } = call
  const intent = await lockObject(tx, 'payment_intent', id)
  checkSecret(call, intent.body)
  if (!CONFIRMABLE.has(intent.body.status)) throw unexpectedState(call.key, intent, 'confirm')
  const method = (await methodFromParams(call)) ?? (await savedMethod(call, intent))
  if (params.receipt_email) intent.body.receipt_email = params.receipt_email
  if (params.shipping) intent.body.shipping = buildShipping(params.shipping)
  const { payment_method_types: types, payment_method_options: options } = intent.body
  intent.body.payment_method_options = buildOptions(types, options, params.payment_method_options)
  return attemptPayment(call, intent, method, params)
}

async function savedMethod({ tx }: Call, { body }: Stored<'payment_intent'>) {
  if (!body.payment_method || body.status === 'requires_payment_method') throw cannotConfirm()
  return getObject(tx, 'payment_method', String(body.payment_method))
}

const cannotConfirm = () =>
  invalidRequest(
    "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method.",
    { code: 'payment_intent_unexpected_state' },
  )

function unexpectedState(key: Call['key'], { body }: Stored<'payment_intent'>, verb: string): Error {
  const message =
    body.status === 'succeeded' && verb === 'confirm'
      ? 'You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.'
      : `You cannot ${verb} this PaymentIntent because it has a status of ${body.status}.`
  return invalidState(message, {
    code: 'payment_intent_unexpected_state',
    payment_intent: key === 'publishable' ? toPublicIntent(body) : body,
  })
}

const UpdateParams = z.strictObject({
  amount: integer.optional(),
  metadata: metadataChange.optional(),
  customer: reference.optional(),
  allowed_payment_method_types: TypesParam.optional(),
  payment_method_options: OptionParams.optional(),
  shipping: Shipping.optional(),
  ...descriptionParams,
})

const UNTOUCHABLE = new Set(['succeeded', 'canceled', 'processing'])

async function updateIntent(call: Call<z.output<typeof UpdateParams>>): Promise<Stripe.PaymentIntent> {
  const { tx, id } = call
  const { metadata, payment_method_options, shipping, ...changes } = call.params
  const intent = await lockObject(tx, 'payment_intent', id)
  if (changes.amount !== undefined) {
    await checkAmount(tx, changes.amount, intent.body.currency)
    if (UNTOUCHABLE.has(intent.body.status)) throw unexpectedState(call.key, intent, 'update the amount of')
  }
  if (changes.customer) await getObject(tx, 'customer', changes.customer, 'customer')
  const allowed = changes.allowed_payment_method_types
  const types = allowed
    ? await chooseTypes(tx, { currency: intent.body.currency, allowed_payment_method_types: allowed })
    : intent.body.payment_method_types
  const body: Stripe.PaymentIntent = {
    ...intent.body,
    ...changes,
    metadata: mergeMetadata(intent.body.metadata, metadata),
    payment_method_options: buildOptions(types, intent.body.payment_method_options, payment_method_options),
    payment_method_types: types,
    ...(shipping && { shipping: buildShipping(shipping) }),
  }
  await saveObject(tx, { ...intent, body })
  return body
}

async function verifyIntent(call: Call<z.output<typeof VerifyParams>>): Promise<object> {
  const { tx, cause, id, params } = call
  const intent = await lockObject(tx, 'payment_intent', id)
  checkSecret(call, intent.body)
  const body = await verifyMicrodeposits(tx, cause, intent, params)
  return call.key === 'publishable' ? toPublicIntent(body) : body
}

const CancelParams = z.strictObject({
  cancellation_reason: z.enum(['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer']).optional(),
})

type CancelParams = z.output<typeof CancelParams>

const cancelIntent = ({ tx, cause, id, params }: Call<CancelParams>) => cancelPayment(tx, cause, id, params)

/** Ends a payment that was not made yet. */
export async function cancelPayment(
  tx: Tx,
  cause: Cause,
  id: string,
  params: CancelParams,
): Promise<Stripe.PaymentIntent> {
  const intent = await lockObject(tx, 'payment_intent', id)
  const isDebit = intent.body.status === 'processing' && (await isCancelable(tx, intent))
  if (UNTOUCHABLE.has(intent.body.status) && !isDebit) throw unexpectedState('secret', intent, 'cancel')
  if (isDebit) await cancelDebit(tx, cause, intent)
  await returnToCashBalance(tx, cause, intent)
  const body: Stripe.PaymentIntent = {
    ...intent.body,
    canceled_at: toUnixSeconds(tx.now),
    cancellation_reason: params.cancellation_reason ?? null,
    next_action: null,
    processing: null,
    status: 'canceled',
  }
  await saveObject(tx, { ...intent, body, hidden: {} })
  await scheduleSettlement(tx, id, null)
  await emitEvent(tx, cause, 'payment_intent.canceled', body)
  return body
}

/** Of the payments that are processing, only debits from bank accounts in the US can be canceled. */
const isCancelable = async (tx: Tx, intent: Stored<'payment_intent'>) =>
  (await methodOf(tx, intent)).body.type === 'us_bank_account'

const ListParams = z.strictObject({ ...page, customer: reference.optional() })

const listIntents = ({ tx, params: { customer, ...page } }: Call<z.output<typeof ListParams>>) =>
  listObjects(tx, 'payment_intent', '/v1/payment_intents', page, { customer })

export const paymentIntentRoutes = [
  route('POST', '/v1/payment_intents', CreateParams, createIntent),
  route('GET', '/v1/payment_intents', ListParams, listIntents),
  route('GET', '/v1/payment_intents/:id', RetrieveParams, retrieveIntent, { publishable: true }),
  route('POST', '/v1/payment_intents/:id', UpdateParams, updateIntent),
  route('POST', '/v1/payment_intents/:id/confirm', ConfirmParams, confirmIntent, { publishable: true }),
  route('POST', '/v1/payment_intents/:id/verify_microdeposits', VerifyParams, verifyIntent, {
    publishable: true,
  }),
  route('POST', '/v1/payment_intents/:id/cancel', CancelParams, cancelIntent),
]
