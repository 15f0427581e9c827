import type Stripe from 'stripe'
import * as z from 'zod'
import { invalidRequest, invalidState } from './api-error.ts'
import { lockBalanceShared, recordMovement } from './balance.ts'
import type { Cause } from './cause.ts'
import { remainingAmount } from './charges.ts'
import type { Tx } from './database.ts'
import { emitEvent } from './events.ts'
import { newId } from './ids.ts'
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
import { integer, mergeMetadata, metadata, metadataChange, page, reference } from './params.ts'
import { type Call, route } from './route.ts'

const CreateParams = z.strictObject({
  charge: reference.optional(),
  payment_intent: reference.optional(),
  amount: integer.optional(),
  metadata: metadata.optional(),
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
})

type CreateParams = z.output<typeof CreateParams>

/** How long a pending refund takes. */
const SETTLE_SECONDS = 5

/** Locks the charge first, so that concurrent refunds and transfers see the remaining amount. */
async function createRefund({ tx, cause, params }: Call<CreateParams>): Promise<Stripe.Refund> {
  const charge = await lockObject(tx, 'charge', ...(await findChargeId(tx, params)))
  const amount = params.amount ?? charge.body.amount - charge.body.amount_refunded
  checkRefund(charge, amount)
  await lockBalanceShared(tx)
  const id = newId('re')
  const { currency } = charge.body
  const entry = await recordMovement(tx, { type: 'refund', amount: -amount, currency, source: id })
  const body = buildRefund(tx, id, charge, amount, entry, params)
  const settles = charge.hidden.refunds === 'at once' ? undefined : settlementTime(tx.now)
  await insertObject(tx, 'refund', { body, hidden: {}, settleAt: settles })
  const refunded = await changeRefundedAmount(tx, charge, amount)
  await emitEvent(tx, cause, 'refund.created', body)
  await emitEvent(tx, cause, 'charge.refunded', refunded, {
    previous: { amount_refunded: charge.body.amount_refunded, refunded: charge.body.refunded },
  })
  return body
}

async function findChargeId(tx: Tx, params: CreateParams): Promise<[id: string, param: string]> {
  if (params.charge && params.payment_intent) {
    throw invalidRequest('You may only specify one of these parameters: charge, payment_intent.', {
      code: 'parameters_exclusive',
    })
  }
  if (params.charge) return [params.charge, 'charge']
  if (!params.payment_intent) {
    throw invalidRequest(
      'One of the following params should be provided for this request: payment_intent or charge.',
      {
        code: 'parameter_missing',
      },
    )
  }
  const { body } = await getObject(tx, 'payment_intent', params.payment_intent, 'payment_intent')
  if (body.latest_charge === null) {
    throw invalidState(`This PaymentIntent (${body.id}) does not have a successful charge to refund.`)
  }
  return [String(body.latest_charge), 'payment_intent']
}

function checkRefund({ id, body, hidden }: Stored<'charge'>, amount: number): void {
  if (body.status !== 'succeeded') {
    throw invalidState(`Charge ${id} did not succeed and cannot be refunded.`, {
      code: 'charge_not_refundable',
    })
  }
  if (body.disputed && hidden.withdrawn > 0) {
    throw invalidState(`Charge ${id} has been charged back; cannot issue a refund.`, {
      code: 'charge_disputed',
    })
  }
  if (amount <= 0 && body.amount_refunded < body.amount) {
    throw invalidRequest('Invalid positive integer', { code: 'parameter_invalid_integer', param: 'amount' })
  }
  const unrefunded = body.amount - body.amount_refunded
  if (unrefunded === 0) {
    throw invalidState(`Charge ${id} has already been refunded.`, { code: 'charge_already_refunded' })
  }
  if (amount > unrefunded) {
    throw invalidState(
      `Refund amount (${amount}) is greater than unrefunded amount on charge (${unrefunded})`,
      {
        param: 'amount',
      },
    )
  }
  if (amount > remainingAmount(body, hidden)) {
    throw invalidState(`Insufficient funds: part of charge ${id} has already been transferred.`, {
      code: 'balance_insufficient',
      param: 'amount',
    })
  }
}

function buildRefund(
  tx: Tx,
  id: string,
  { body: charge, hidden }: Stored<'charge'>,
  amount: number,
  entry: string,
  params: CreateParams,
): Stripe.Refund {
  const pending = hidden.refunds === 'later'
  return {
    id,
    object: 'refund',
    amount,
    balance_transaction: entry,
    charge: charge.id,
    created: toUnixSeconds(tx.now),
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    destination_details: {
      card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
      type: 'card',
    },
    metadata: mergeMetadata({}, params.metadata),
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    ...(pending && { pending_reason: 'processing' as const }),
    reason: params.reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: pending ? 'pending' : 'succeeded',
    transfer_reversal: null,
  }
}

/** `by` is negative if a refund failed. */
async function changeRefundedAmount(tx: Tx, charge: Stored<'charge'>, by: number): Promise<Stripe.Charge> {
  const amountRefunded = charge.body.amount_refunded + by
  const body: Stripe.Charge = {
    ...charge.body,
    amount_refunded: amountRefunded,
    refunded: amountRefunded === charge.body.amount,
  }
  await saveObject(tx, { ...charge, body })
  return body
}

const settlementTime = (now: Date) => new Date(now.getTime() + SETTLE_SECONDS * 1_000)

/** Completes or fails a refund that was not final. */
export async function settleRefund(tx: Tx, cause: Cause, id: string): Promise<void> {
  const refund = await lockObject(tx, 'refund', id)
  await scheduleSettlement(tx, id, null)
  if (refund.body.status === 'pending') {
    const { pending_reason: _, ...rest } = refund.body
    const body: Stripe.Refund = { ...rest, status: 'succeeded' }
    await saveObject(tx, { ...refund, body })
    await emitEvent(tx, cause, 'refund.updated', body)
  } else if (refund.body.status === 'succeeded') {
    await failRefund(tx, cause, refund)
  }
}

/** The bank returned the money, so the charge can be refunded again. */
async function failRefund(tx: Tx, cause: Cause, refund: Stored<'refund'>): Promise<void> {
  const charge = await lockObject(tx, 'charge', String(refund.body.charge))
  await lockBalanceShared(tx)
  const { id, amount, currency } = refund.body
  const entry = await recordMovement(tx, { type: 'refund_failure', amount, currency, source: id })
  const body: Stripe.Refund = {
    ...refund.body,
    failure_balance_transaction: entry,
    failure_reason: 'expired_or_canceled_card',
    status: 'failed',
  }
  await saveObject(tx, { ...refund, body })
  await changeRefundedAmount(tx, charge, -amount)
  await emitEvent(tx, cause, 'refund.updated', body)
  await emitEvent(tx, cause, 'refund.failed', body)
}

async function retrieveRefund({ tx, id }: Call): Promise<Stripe.Refund> {
  return (await getObject(tx, 'refund', id)).body
}

const UpdateParams = z.strictObject({ metadata: metadataChange.optional() })

async function updateRefund({ tx, id, params }: Call<z.output<typeof UpdateParams>>): Promise<Stripe.Refund> {
  const refund = await lockObject(tx, 'refund', id)
  const body = { ...refund.body, metadata: mergeMetadata(refund.body.metadata ?? {}, params.metadata) }
  await saveObject(tx, { ...refund, body })
  return body
}

const ListParams = z.strictObject({
  ...page,
  charge: reference.optional(),
  payment_intent: reference.optional(),
})

const listRefunds = ({
  tx,
  params: { charge, payment_intent, ...page },
}: Call<z.output<typeof ListParams>>) =>
  listObjects(tx, 'refund', '/v1/refunds', page, { charge, payment_intent })

export const refundRoutes = [
  route('POST', '/v1/refunds', CreateParams, createRefund),
  route('GET', '/v1/refunds', ListParams, listRefunds),
  route('GET', '/v1/refunds/:id', z.strictObject({}), retrieveRefund),
  route('POST', '/v1/refunds/:id', UpdateParams, updateRefund),
]
