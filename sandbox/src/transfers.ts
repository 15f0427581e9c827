import type Stripe from 'stripe'
import * as z from 'zod'
import { isDeleted } from './accounts.ts'
import { invalidRequest, invalidState, notFound } from './api-error.ts'
import { lockBalance, lockBalanceShared, recordMovement } from './balance.ts'
import { remainingAmount } from './charges.ts'
import type { Tx } from './database.ts'
import { emitEvent } from './events.ts'
import { newId } from './ids.ts'
import { listObjects } from './lists.ts'
import {
  findObject,
  getObject,
  insertObject,
  lockObject,
  type Stored,
  saveObject,
  toUnixSeconds,
} from './objects.ts'
import {
  currency,
  integer,
  mergeMetadata,
  metadata,
  metadataChange,
  page,
  reference,
  text,
} from './params.ts'
import { type Call, route } from './route.ts'

const CreateParams = z.strictObject({
  amount: integer.optional(),
  currency,
  destination: reference,
  source_transaction: reference.optional(),
  transfer_group: text.optional(),
  description: text.optional(),
  metadata: metadata.optional(),
})

type CreateParams = z.output<typeof CreateParams>

async function createTransfer({ tx, cause, params }: Call<CreateParams>): Promise<Stripe.Transfer> {
  // Always lock the charge before the account, to avoid deadlocks.
  const source = params.source_transaction
    ? await lockObject(tx, 'charge', params.source_transaction, 'source_transaction')
    : undefined
  const amount = params.amount ?? source?.body.amount
  if (amount === undefined)
    throw invalidRequest('Missing required param: amount.', { code: 'parameter_missing', param: 'amount' })
  if (amount <= 0) throw notPositive()
  await checkDestination(tx, params.destination)
  if (source) await takeFromCharge(tx, source, amount, params.currency)
  else await checkBalance(tx, amount, params.currency)

  const id = newId('tr')
  const payment = newId('py')
  const { destination } = params
  const entry = await recordMovement(tx, {
    type: 'transfer',
    amount: -amount,
    currency: params.currency,
    source: id,
  })
  await recordMovement(tx, {
    type: 'payment',
    amount,
    currency: params.currency,
    source: payment,
    account: destination,
  })
  const body: Stripe.Transfer = {
    id,
    object: 'transfer',
    amount,
    amount_reversed: 0,
    balance_transaction: entry,
    created: toUnixSeconds(tx.now),
    currency: params.currency,
    description: params.description ?? null,
    destination,
    destination_payment: payment,
    livemode: false,
    metadata: mergeMetadata({}, params.metadata),
    reversals: { object: 'list', data: [], has_more: false, url: `/v1/transfers/${id}/reversals` },
    reversed: false,
    source_transaction: source?.id ?? null,
    source_type: 'card',
    transfer_group:
      params.transfer_group ?? source?.body.transfer_group ?? (source ? `group_${source.id}` : null),
  }
  await insertObject(tx, 'transfer', { body, hidden: {} })
  await emitEvent(tx, cause, 'transfer.created', body)
  return body
}

const notPositive = () =>
  invalidRequest('Invalid positive integer', { code: 'parameter_invalid_integer', param: 'amount' })

async function checkDestination(tx: Tx, id: string): Promise<void> {
  const account = await findObject(tx, 'account', id, 'for share')
  if (!account || isDeleted(account)) throw notFound('destination', id, 'destination')
  if (account.body.capabilities?.transfers !== 'active') {
    throw invalidState(
      'Your destination account needs to have at least one of the following capabilities enabled: transfers, crypto_transfers, legacy_payments',
      { code: 'insufficient_capabilities_for_transfer' },
    )
  }
}

/** Reserves part of a charge, so that the same money is never refunded or transferred twice. */
async function takeFromCharge(tx: Tx, charge: Stored<'charge'>, amount: number, currency: string) {
  const { body, hidden } = charge
  if (body.status !== 'succeeded') {
    throw invalidState(`Charge ${charge.id} did not succeed and cannot be used as a source.`, {
      param: 'source_transaction',
    })
  }
  if (body.currency !== currency) {
    throw invalidState(
      `The currency of source_transaction's balance transaction (${body.currency}) must be the same as the transfer currency (${currency})`,
      { param: 'currency' },
    )
  }
  const left = remainingAmount(body, hidden)
  if (amount > left) {
    throw invalidState(
      `Transfers using this transaction as a source must not exceed what is left of it (${left} of ${body.amount}).`,
      { code: 'balance_insufficient', param: 'amount' },
    )
  }
  await lockBalanceShared(tx)
  await saveObject(tx, { ...charge, hidden: { ...hidden, transferred: hidden.transferred + amount } })
}

async function checkBalance(tx: Tx, amount: number, currency: string): Promise<void> {
  if (amount > (await lockBalance(tx, currency))) {
    throw invalidState(
      'You have insufficient available funds in your Stripe account. Try adding funds directly to your available balance by creating Charges using the 4000000000000077 test card.',
      { code: 'balance_insufficient' },
    )
  }
}

const ReverseParams = z.strictObject({
  amount: integer.optional(),
  description: text.optional(),
  metadata: metadata.optional(),
})

async function reverseTransfer({
  tx,
  cause,
  id,
  params,
}: Call<z.output<typeof ReverseParams>>): Promise<Stripe.TransferReversal> {
  const transfer = await lockObject(tx, 'transfer', id)
  const { amount: whole, amount_reversed, currency, destination, destination_payment } = transfer.body
  const amount = params.amount ?? whole - amount_reversed
  if (whole === amount_reversed) throw invalidState(`Transfer ${id} is already fully reversed.`)
  if (amount <= 0) throw notPositive()
  if (amount > whole - amount_reversed) {
    throw invalidState(
      `Reversal amount is greater than unreversed amount on transfer (${whole - amount_reversed})`,
      {
        param: 'amount',
      },
    )
  }
  await restoreToCharge(tx, transfer.body, amount)
  const reversalId = newId('trr')
  const account = String(destination)
  const entry = await recordMovement(tx, { type: 'transfer_refund', amount, currency, source: reversalId })
  const refund = newId('pyr')
  await recordMovement(tx, {
    type: 'refund',
    amount: -amount,
    currency,
    source: String(destination_payment),
    account,
  })
  const reversal: Stripe.TransferReversal = {
    id: reversalId,
    object: 'transfer_reversal',
    amount,
    balance_transaction: entry,
    created: toUnixSeconds(tx.now),
    currency,
    destination_payment_refund: refund,
    metadata: mergeMetadata({}, params.metadata),
    source_refund: null,
    transfer: id,
  }
  await insertObject(tx, 'transfer_reversal', { body: reversal, hidden: {} })
  const body: Stripe.Transfer = {
    ...transfer.body,
    amount_reversed: amount_reversed + amount,
    reversals: { ...transfer.body.reversals, data: [reversal, ...transfer.body.reversals.data].slice(0, 10) },
    reversed: amount_reversed + amount === whole,
  }
  await saveObject(tx, { ...transfer, body })
  await emitEvent(tx, cause, 'transfer.reversed', body, { previous: { amount_reversed } })
  return reversal
}

async function restoreToCharge(tx: Tx, transfer: Stripe.Transfer, amount: number): Promise<void> {
  if (transfer.source_transaction) {
    const charge = await lockObject(tx, 'charge', String(transfer.source_transaction))
    const { hidden } = charge
    await saveObject(tx, { ...charge, hidden: { ...hidden, transferred: hidden.transferred - amount } })
  }
  await lockBalanceShared(tx)
}

async function retrieveTransfer({ tx, id }: Call): Promise<Stripe.Transfer> {
  return (await getObject(tx, 'transfer', id)).body
}

const UpdateParams = z.strictObject({ description: text.optional(), metadata: metadataChange.optional() })

async function updateTransfer({
  tx,
  id,
  params,
}: Call<z.output<typeof UpdateParams>>): Promise<Stripe.Transfer> {
  const transfer = await lockObject(tx, 'transfer', id)
  const { metadata, ...changes } = params
  const body = { ...transfer.body, ...changes, metadata: mergeMetadata(transfer.body.metadata, metadata) }
  await saveObject(tx, { ...transfer, body })
  return body
}

const ListParams = z.strictObject({
  ...page,
  destination: reference.optional(),
  transfer_group: text.optional(),
})

const listTransfers = ({
  tx,
  params: { destination, transfer_group, ...page },
}: Call<z.output<typeof ListParams>>) =>
  listObjects(tx, 'transfer', '/v1/transfers', page, { destination, transfer_group })

async function listReversals({ tx, id, params }: Call<z.output<typeof ReversalListParams>>) {
  await getObject(tx, 'transfer', id)
  return listObjects(tx, 'transfer_reversal', `/v1/transfers/${id}/reversals`, params, { transfer: id })
}

const ReversalListParams = z.strictObject(page)

async function retrieveReversal({ tx, id, inner }: Call): Promise<Stripe.TransferReversal> {
  const { body } = await getObject(tx, 'transfer_reversal', inner)
  if (body.transfer !== id) await getObject(tx, 'transfer_reversal', `${inner} of ${id}`)
  return body
}

export const transferRoutes = [
  route('POST', '/v1/transfers', CreateParams, createTransfer),
  route('GET', '/v1/transfers', ListParams, listTransfers),
  route('GET', '/v1/transfers/:id', z.strictObject({}), retrieveTransfer),
  route('POST', '/v1/transfers/:id', UpdateParams, updateTransfer),
  route('POST', '/v1/transfers/:id/reversals', ReverseParams, reverseTransfer),
  route('GET', '/v1/transfers/:id/reversals', ReversalListParams, listReversals),
  route('GET', '/v1/transfers/:id/reversals/:inner', z.strictObject({}), retrieveReversal),
]
