import type Stripe from 'stripe'
import * as z from 'zod'
import { lockBalanceShared, recordMovement } from './balance.ts'
import { type Decline, getTestCard, type TestCard } from './cards.ts'
import type { Cause } from './cause.ts'
import type { Tx } from './database.ts'
import { emitEvent } from './events.ts'
import { processingFee } from './fees.ts'
import { newId } from './ids.ts'
import type { HiddenCharge } from './kinds.ts'
import { listObjects } from './lists.ts'
import {
  getObject,
  insertObject,
  lockObject,
  type Stored,
  saveObject,
  scheduleSettlement,
  toUnixSeconds,
} from './objects.ts'
import { mergeMetadata, metadataChange, page, reference } from './params.ts'
import { getPendingDays } from './platform-account.ts'
import { type Call, route } from './route.ts'

/** Records a successful charge and adds it to the platform's balance, less the fee. */
export async function chargeCard(
  tx: Tx,
  cause: Cause,
  intent: Stripe.PaymentIntent,
  method: Stored<'payment_method'>,
  authenticated: boolean,
): Promise<Stored<'charge'>> {
  const card = getTestCard(method.hidden.card)
  await lockBalanceShared(tx)
  const { id, ...rest } = buildCharge(tx, intent, method.body, authenticated)
  const { amount, currency, description } = intent
  const { id: transaction, available_on: availableOn } = await recordMovement(tx, {
    type: 'charge',
    amount,
    currency,
    source: id,
    description,
    fee: processingFee(amount, currency),
    availableOn: await availabilityOf(tx, card),
    charge: id,
  })
  const isLate = intent.capture_method === 'automatic_async'
  const body: Stripe.Charge = { id, ...rest, balance_transaction: isLate ? null : transaction }
  const hidden: HiddenCharge = {
    transferred: 0,
    withdrawn: 0,
    refunds: card.refunds ?? 'at once',
    availableOn,
    ...(isLate && { transaction }),
  }
  const charge = await insertObject(tx, 'charge', { body, hidden, ...(isLate && { settleAt: tx.now }) })
  await emitEvent(tx, cause, 'charge.succeeded', body)
  return charge
}

/** With asynchronous capture, a charge shows its balance transaction some time after it succeeded. */
export async function settleCharge(tx: Tx, cause: Cause, id: string): Promise<void> {
  const { body, hidden } = await lockObject(tx, 'charge', id)
  const { transaction, ...rest } = hidden
  await scheduleSettlement(tx, id, null)
  if (!transaction) return
  const updated = { ...body, balance_transaction: transaction }
  await saveObject(tx, { id, body: updated, hidden: rest })
  await emitEvent(tx, cause, 'charge.updated', updated, { previous: { balance_transaction: null } })
}

/** When the money of a new charge becomes available: at midnight UTC, after its pending days. */
async function availabilityOf(tx: Tx, { bypassesPending }: TestCard): Promise<number> {
  const days = bypassesPending ? 0 : await getPendingDays(tx)
  if (days === 0) return toUnixSeconds(tx.now)
  const { now } = tx
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + days) / 1_000
}

/** Records a declined charge. */
export async function failCharge(
  tx: Tx,
  cause: Cause,
  intent: Stripe.PaymentIntent,
  method: Stored<'payment_method'>,
  decline: Decline,
): Promise<Stored<'charge'>> {
  const body: Stripe.Charge = {
    ...buildCharge(tx, intent, method.body, false),
    amount_captured: 0,
    captured: false,
    failure_code: decline.code,
    failure_message: decline.message,
    outcome: {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: 'declined_by_network',
      reason: decline.declineCode ?? decline.code,
      risk_level: 'normal',
      seller_message: 'The bank did not return any further details with this decline.',
      type: 'issuer_declined',
    },
    paid: false,
    status: 'failed',
  }
  const hidden = { transferred: 0, withdrawn: 0, refunds: 'at once' } as const
  const charge = await insertObject(tx, 'charge', { body, hidden })
  await emitEvent(tx, cause, 'charge.failed', body)
  return charge
}

function buildCharge(
  tx: Tx,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  authenticated: boolean,
): Stripe.Charge {
  return {
    id: newId('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: intent.amount,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: method.billing_details,
    calculated_statement_descriptor: 'SANDBOX',
    captured: true,
    created: toUnixSeconds(tx.now),
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: 'approved_by_network',
      reason: null,
      risk_level: 'normal',
      risk_score: 20,
      seller_message: 'Payment complete.',
      type: 'authorized',
    },
    paid: true,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: { card: buildCardDetails(intent.amount, method, authenticated), type: 'card' },
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: intent.statement_descriptor,
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    status: 'succeeded',
    transfer_data: null,
    transfer_group: intent.transfer_group,
  }
}

function buildCardDetails(
  amount: number,
  { card }: Stripe.PaymentMethod,
  authenticated: boolean,
): Stripe.Charge.PaymentMethodDetails.Card {
  return {
    amount_authorized: amount,
    authorization_code: null,
    brand: card?.brand ?? null,
    checks: {
      address_line1_check: null,
      address_postal_code_check: null,
      cvc_check: card?.checks?.cvc_check ? 'pass' : null,
    },
    country: card?.country ?? null,
    electronic_commerce_indicator: null,
    exp_month: card?.exp_month ?? 0,
    exp_year: card?.exp_year ?? 0,
    fingerprint: card?.fingerprint ?? null,
    funding: card?.funding ?? null,
    installments: null,
    last4: card?.last4 ?? null,
    mandate: null,
    network: card?.brand ?? null,
    network_transaction_id: null,
    regulated_status: 'unregulated',
    three_d_secure: authenticated
      ? {
          authentication_flow: 'challenge',
          electronic_commerce_indicator: '05',
          exemption_indicator: null,
          result: 'authenticated',
          result_reason: null,
          transaction_id: newId('3ds'),
          version: '2.2.0',
        }
      : null,
    transaction_link_id: null,
    wallet: null,
  }
}

async function retrieveCharge({ tx, id }: Call): Promise<Stripe.Charge> {
  return (await getObject(tx, 'charge', id)).body
}

const UpdateParams = z.strictObject({
  description: z.string().optional(),
  metadata: metadataChange.optional(),
  transfer_group: z.string().optional(),
})

async function updateCharge({ tx, id, params }: Call<z.output<typeof UpdateParams>>): Promise<Stripe.Charge> {
  const charge = await lockObject(tx, 'charge', id)
  const { metadata, ...changes } = params
  const body = { ...charge.body, ...changes, metadata: mergeMetadata(charge.body.metadata, metadata) }
  await saveObject(tx, { ...charge, body })
  return body
}

const ListParams = z.strictObject({
  ...page,
  payment_intent: reference.optional(),
  customer: reference.optional(),
  transfer_group: z.string().optional(),
})

const listCharges = ({
  tx,
  params: { payment_intent, customer, transfer_group, ...page },
}: Call<z.output<typeof ListParams>>) =>
  listObjects(tx, 'charge', '/v1/charges', page, { payment_intent, customer, transfer_group })

export const chargeRoutes = [
  route('GET', '/v1/charges', ListParams, listCharges),
  route('GET', '/v1/charges/:id', z.strictObject({}), retrieveCharge),
  route('POST', '/v1/charges/:id', UpdateParams, updateCharge),
]
