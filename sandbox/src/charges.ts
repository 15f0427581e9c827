import type Stripe from 'stripe'
import * as z from 'zod'
import { lockBalanceShared, recordMovement, sourceTypeOf } from './balance.ts'
import type { Cause } from './cause.ts'
import type { Tx } from './database.ts'
import { emitEvent } from './events.ts'
import { settle } from './exchange-rates.ts'
import { processingFee } from './fees.ts'
import { mergeMetadata, metadataChange, page, reference } from './http/params.ts'
import { type Call, route } from './http/route.ts'
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
  settledOf,
  toUnixSeconds,
} from './objects.ts'
import { buildDetails } from './payment-methods/charge-details.ts'
import { ruleOf } from './payment-methods/method-types.ts'
import { DEBIT_FAILURES } from './payment-methods/test-values.ts'
import { type Decline, findTestCard } from './payments/cards.ts'
import { getPendingDays } from './platform-account.ts'

interface NewCharge {
  /** The customer passed an authentication (3D Secure). */
  authenticated?: boolean
  /** The money is still to be collected from a bank account. */
  pending?: boolean
}

/**
 * Records a charge and adds it to the platform's balance, less the fee. As at Stripe, a pending charge is part of the
 * pending balance until it succeeds or fails.
 */
export async function recordCharge(
  tx: Tx,
  cause: Cause,
  intent: Stripe.PaymentIntent,
  method: Stored<'payment_method'>,
  { authenticated = false, pending = false }: NewCharge,
): Promise<Stored<'charge'>> {
  const card = findTestCard(method)
  await lockBalanceShared(tx)
  const { id, ...rest } = buildCharge(tx, intent, method.body, authenticated)
  const settled = await settle(tx, null, intent.amount, intent.currency)
  const { id: transaction, available_on: availableOn } = await recordMovement(tx, {
    ...(card ? { type: 'charge' } : { type: 'payment', reportingCategory: 'charge' }),
    ...settled,
    source: id,
    description: intent.description,
    fee: processingFee(settled.amount, settled.currency, method.body.type),
    availableOn: await availabilityOf(tx, { pending, bypasses: card?.bypassesPending ?? false }),
    charge: id,
    sourceType: sourceTypeOf(method.body.type),
  })
  const isLate = intent.capture_method === 'automatic_async'
  const body: Stripe.Charge = {
    id,
    ...rest,
    balance_transaction: isLate ? null : transaction,
    ...(pending && { outcome: null, paid: false, status: 'pending' }),
  }
  const hidden: HiddenCharge = {
    transferred: 0,
    withdrawn: 0,
    settled,
    refunds: card?.refunds ?? ruleOf(method.body.type).refunds,
    availableOn,
    ...(card?.triggers && { triggers: card.triggers }),
    ...(isLate && { transaction }),
  }
  const charge = await insertObject(tx, 'charge', { body, hidden, ...(isLate && { settleAt: tx.now }) })
  await emitEvent(tx, cause, pending ? 'charge.pending' : 'charge.succeeded', body)
  return charge
}

/** The bank sent the money of a pending charge. The caller has locked the charge. */
export async function completeCharge(
  tx: Tx,
  cause: Cause,
  charge: Stored<'charge'>,
): Promise<Stored<'charge'>> {
  const body: Stripe.Charge = { ...charge.body, outcome: APPROVED, paid: true, status: 'succeeded' }
  await saveObject(tx, { ...charge, body })
  await emitEvent(tx, cause, 'charge.succeeded', body, { previous: { status: 'pending' } })
  return { ...charge, body }
}

/** The bank refused to pay a pending charge, so its money and its fee leave the balance. The caller has locked it. */
export async function returnCharge(
  tx: Tx,
  cause: Cause,
  charge: Stored<'charge'>,
  code: string,
): Promise<Stripe.Charge> {
  await lockBalanceShared(tx)
  const { id, payment_method_details: details } = charge.body
  const settled = settledOf(charge)
  const fee = processingFee(settled.amount, settled.currency, details?.type ?? 'card')
  const { id: transaction } = await recordMovement(tx, {
    type: 'payment_failure_refund',
    reportingCategory: 'charge_failure',
    ...settled,
    amount: -settled.amount,
    source: id,
    description: 'Payment failure refund',
    fee: { ...fee, amount: -fee.amount },
    availableOn: charge.hidden.availableOn,
    charge: id,
  })
  const body: Stripe.Charge = {
    ...charge.body,
    failure_balance_transaction: transaction,
    failure_code: code,
    failure_message: DEBIT_FAILURES[code] ?? null,
    paid: false,
    status: 'failed',
  }
  await saveObject(tx, { ...charge, body })
  await emitEvent(tx, cause, 'charge.failed', body, { previous: { status: 'pending' } })
  return body
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

/** How many more days it takes to collect money from a bank account. */
const DEBIT_DAYS = 5

/** When the money of a new charge becomes available: at midnight UTC, after its pending days. */
async function availabilityOf(
  tx: Tx,
  { pending, bypasses }: { pending: boolean; bypasses: boolean },
): Promise<number> {
  const days = bypasses ? 0 : (await getPendingDays(tx)) + (pending ? DEBIT_DAYS : 0)
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

const APPROVED: Stripe.Charge.Outcome = {
  advice_code: null,
  network_advice_code: null,
  network_decline_code: null,
  network_status: 'approved_by_network',
  reason: null,
  risk_level: 'normal',
  risk_score: 20,
  seller_message: 'Payment complete.',
  type: 'authorized',
}

function buildCharge(
  tx: Tx,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  authenticated: boolean,
): Stripe.Charge {
  return {
    id: newId(method.type === 'card' ? 'ch' : 'py'),
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
    on_behalf_of: intent.on_behalf_of,
    outcome: APPROVED,
    paid: true,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: buildDetails(intent, method, authenticated),
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: intent.shipping,
    source: null,
    source_transfer: null,
    statement_descriptor: intent.statement_descriptor,
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    status: 'succeeded',
    transfer_data: null,
    transfer_group: intent.transfer_group,
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
