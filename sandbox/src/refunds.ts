import type Stripe from 'stripe'
import * as z from 'zod'
import {
  availableIn,
  lockAvailable,
  lockBalanceShared,
  readBalance,
  readPendingOf,
  recordMovement,
  sourceTypeOf,
} from './balance.ts'
import type { Cause } from './cause.ts'
import type { Tx } from './database.ts'
import { closeInquiriesOf } from './disputes/disputes.ts'
import { endRadarCases } from './disputes/radar.ts'
import { emitEvent } from './events.ts'
import { convert } from './exchange-rates.ts'
import { changeRefundedAmount, emitRefundUpdate, failRefund } from './failed-refunds.ts'
import { invalidRequest, invalidState, notPositive } from './http/api-error.ts'
import { integer, mergeMetadata, metadata, metadataChange, page, reference, text } from './http/params.ts'
import { type Call, route } from './http/route.ts'
import { newId } from './ids.ts'
import { listObjects } from './lists.ts'
import { checkStep, formatMoney } from './money.ts'
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
import { ruleOf } from './payment-methods/method-types.ts'
import { getPlatform } from './platform-account.ts'

const CreateParams = z.strictObject({
  charge: reference.optional(),
  payment_intent: reference.optional(),
  amount: integer.optional(),
  instructions_email: text.optional(),
  metadata: metadata.optional(),
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
})

type CreateParams = z.output<typeof CreateParams>

/** How long the bank takes to complete or return a refund. */
const SETTLE_SECONDS = 5
/** How often a refund without funds is retried. */
const RETRY_SECONDS = 60

/** Locks the charge first, so that concurrent refunds see the remaining amount. */
async function createRefund({ tx, cause, params }: Call<CreateParams>): Promise<Stripe.Refund> {
  const charge = await lockObject(tx, 'charge', ...(await findChargeId(tx, params)))
  return refundCharge(tx, cause, charge, params)
}

/** Refunds all or part of a charge, from the platform's balance. The caller has locked the charge. */
export async function refundCharge(
  tx: Tx,
  cause: Cause,
  charge: Stored<'charge'>,
  params: Pick<CreateParams, 'amount' | 'instructions_email' | 'metadata' | 'reason'>,
): Promise<Stripe.Refund> {
  const amount = params.amount ?? charge.body.amount - charge.body.amount_refunded
  await checkRefund(tx, charge, amount)
  checkMethod(tx, charge, params.instructions_email)
  const taken = await convert(tx, amount, charge.body.currency, settledOf(charge).currency)
  await lockForRefund(tx, charge, taken.currency)
  const isCard = charge.body.payment_method_details?.type === 'card'
  const id = newId(isCard ? 're' : 'pyr')
  const { description } = charge.body
  const { id: transaction } = await recordMovement(tx, {
    ...(isCard ? { type: 'refund' } : { type: 'payment_refund', reportingCategory: 'refund' }),
    ...taken,
    amount: -taken.amount,
    source: id,
    description: description ? `REFUND FOR CHARGE (${description})` : 'REFUND FOR CHARGE',
    availableOn: charge.hidden.availableOn,
    charge: charge.id,
  })
  const pendingReason = await findPendingReason(tx, charge)
  const needsEmail = charge.hidden.refunds === 'by email'
  const about = { id, charge: charge.body, amount, transaction, pendingReason, needsEmail, params }
  const body = buildRefund(tx, about)
  const fails = charge.hidden.refunds === 'fail'
  const settleAt = body.status !== 'succeeded' || fails ? inSeconds(tx, SETTLE_SECONDS) : undefined
  await insertObject(tx, 'refund', { body, hidden: fails ? { fails } : {}, settleAt })
  const refunded = await changeRefundedAmount(tx, charge, amount)
  await emitEvent(tx, cause, 'refund.created', body)
  await emitEvent(tx, cause, 'charge.refunded', refunded, {
    previous: { amount_refunded: charge.body.amount_refunded, refunded: charge.body.refunded },
  })
  if (refunded.refunded) {
    await endRadarCases(tx, cause, refunded, 'refunded')
    await closeInquiriesOf(tx, cause, charge.id)
  }
  return body
}

/** Returns why a refund cannot be sent yet. Called after it was taken from the balance. */
async function findPendingReason(
  tx: Tx,
  charge: Stored<'charge'>,
): Promise<Stripe.Refund.PendingReason | undefined> {
  if (!(await hasFunds(tx, charge))) return 'insufficient_funds'
  return charge.hidden.refunds === 'later' ? 'processing' : undefined
}

/** If Stripe may debit the platform's bank account, a negative balance does not prevent a refund. */
async function debitsBank(tx: Tx): Promise<boolean> {
  const { body: platform } = await getPlatform(tx)
  return platform.settings?.payouts?.debit_negative_balances ?? false
}

/** If refunds depend on the balance, it must not change until this transaction ends. */
async function lockForRefund(tx: Tx, charge: Stored<'charge'>, currency: string): Promise<void> {
  if (await debitsBank(tx)) await lockBalanceShared(tx)
  else await lockAvailable(tx, currency, sourceOf(charge))
}

/** Whether a refund can be sent, after it was taken from the balance. */
async function hasFunds(tx: Tx, charge: Stored<'charge'>): Promise<boolean> {
  if (await debitsBank(tx)) return true
  const available = availableIn(await readBalance(tx, null, sourceOf(charge)), settledOf(charge).currency)
  return available + (await readPendingOf(tx, charge.id, null)) >= 0
}

const sourceOf = ({ body }: Stored<'charge'>) => sourceTypeOf(body.payment_method_details?.type)

const inSeconds = (tx: Tx, seconds: number) => new Date(tx.now.getTime() + seconds * 1_000)

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

/** Some methods allow no refunds, or only for some time, or need an email address for the customer's bank details. */
function checkMethod(tx: Tx, { id, body, hidden }: Stored<'charge'>, email: string | undefined): void {
  const type = body.payment_method_details?.type ?? 'card'
  const { refundDays } = ruleOf(type)
  const isLate =
    refundDays !== undefined && toUnixSeconds(tx.now) > body.created + refundDays * SECONDS_PER_DAY
  if (hidden.refunds === 'never' || isLate) {
    const message = isLate
      ? `Charge ${id} cannot be refunded: payments with ${type} can be refunded for ${refundDays} days.`
      : `Charge ${id} cannot be refunded: payments with ${type} cannot be refunded.`
    throw invalidState(message, { code: 'charge_not_refundable' })
  }
  if (hidden.refunds === 'by email' && !email) {
    throw invalidRequest('Missing required param: instructions_email.', {
      code: 'parameter_missing',
      param: 'instructions_email',
    })
  }
}

const SECONDS_PER_DAY = 86_400

async function checkRefund(tx: Tx, { id, body, hidden }: Stored<'charge'>, amount: number): Promise<void> {
  if (body.status !== 'succeeded') {
    throw invalidState(`Charge ${id} did not succeed and cannot be refunded.`, {
      code: 'charge_not_refundable',
    })
  }
  const unrefunded = body.amount - body.amount_refunded
  if (body.disputed && (hidden.withdrawn >= unrefunded || (await hasOpenChargeback(tx, id)))) {
    throw invalidState(`Charge ${id} has been charged back; cannot issue a refund.`, {
      code: 'charge_disputed',
    })
  }
  if (amount <= 0 && unrefunded > 0) {
    throw notPositive('amount')
  }
  checkStep(amount, body.currency)
  if (unrefunded === 0) {
    throw invalidState(`Charge ${id} has already been refunded.`, { code: 'charge_already_refunded' })
  }
  const refundable = unrefunded - hidden.withdrawn
  if (amount > refundable) {
    const [asked, left] = [formatMoney(amount, body.currency), formatMoney(refundable, body.currency)]
    throw invalidState(`Refund amount (${asked}) is greater than unrefunded amount on charge (${left})`, {
      param: 'amount',
    })
  }
}

/** A charge cannot be refunded while a bank decides about a chargeback. */
async function hasOpenChargeback(tx: Tx, charge: string): Promise<boolean> {
  const { data } = await listObjects(tx, 'dispute', '', { limit: 100 }, { charge })
  return data.some(({ status }) => status === 'needs_response' || status === 'under_review')
}

interface NewRefund {
  id: string
  charge: Stripe.Charge
  amount: number
  transaction: string
  pendingReason: Stripe.Refund.PendingReason | undefined
  /** The customer has to tell Stripe a bank account. */
  needsEmail: boolean
  params: Pick<CreateParams, 'instructions_email' | 'metadata' | 'reason'>
}

function buildRefund(
  tx: Tx,
  { id, charge, amount, transaction, pendingReason, needsEmail, params }: NewRefund,
): Stripe.Refund {
  const { instructions_email: email = '' } = params
  return {
    id,
    object: 'refund',
    amount,
    balance_transaction: transaction,
    charge: charge.id,
    created: toUnixSeconds(tx.now),
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    destination_details: destinationOf(charge),
    ...(needsEmail && {
      instructions_email: email,
      next_action: {
        display_details: {
          email_sent: { email_sent_at: toUnixSeconds(tx.now), email_sent_to: email },
          expires_at: toUnixSeconds(tx.now) + 45 * SECONDS_PER_DAY,
        },
        type: 'display_details',
      },
    }),
    metadata: mergeMetadata({}, params.metadata),
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    ...(pendingReason && { pending_reason: pendingReason }),
    reason: params.reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: needsEmail ? 'requires_action' : pendingReason ? 'pending' : 'succeeded',
    transfer_reversal: null,
  }
}

function destinationOf({ payment_method_details: details }: Stripe.Charge): Stripe.Refund.DestinationDetails {
  const type = details?.type ?? 'card'
  switch (type) {
    case 'card':
      return {
        card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
        type,
      }
    case 'klarna':
      return { klarna: { reference: null, reference_status: null }, type }
    case 'multibanco':
      return { multibanco: { reference: null, reference_status: null }, type }
    default:
      return { type }
  }
}

/** Sends a pending refund, or fails one that the bank returns. */
export async function settleRefund(tx: Tx, cause: Cause, id: string): Promise<void> {
  const { body: found } = await getObject(tx, 'refund', id)
  const charge = await lockObject(tx, 'charge', String(found.charge))
  const refund = await lockObject(tx, 'refund', id)
  if (refund.body.status === 'succeeded' && refund.hidden.fails) {
    await scheduleSettlement(tx, id, null)
    return failRefund(tx, cause, charge, refund, 'expired_or_canceled_card')
  }
  const { status } = refund.body
  if (status !== 'pending' && status !== 'requires_action') return scheduleSettlement(tx, id, null)
  if (!(await hasFunds(tx, charge))) {
    return scheduleSettlement(tx, id, inSeconds(tx, RETRY_SECONDS))
  }
  const { pending_reason, next_action: _, ...rest } = refund.body
  const body: Stripe.Refund = { ...rest, status: 'succeeded' }
  await saveObject(tx, { ...refund, body })
  await scheduleSettlement(tx, id, refund.hidden.fails ? inSeconds(tx, SETTLE_SECONDS) : null)
  await emitRefundUpdate(tx, cause, body, { ...(pending_reason && { pending_reason }), status })
}

async function retrieveRefund({ tx, id }: Call): Promise<Stripe.Refund> {
  return (await getObject(tx, 'refund', id)).body
}

const UpdateParams = z.strictObject({ metadata: metadataChange.optional() })

async function updateRefund({
  tx,
  cause,
  id,
  params,
}: Call<z.output<typeof UpdateParams>>): Promise<Stripe.Refund> {
  const refund = await lockObject(tx, 'refund', id)
  const { metadata } = refund.body
  const body = { ...refund.body, metadata: mergeMetadata(metadata ?? {}, params.metadata) }
  await saveObject(tx, { ...refund, body })
  await emitRefundUpdate(tx, cause, body, { metadata })
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
