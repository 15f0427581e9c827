import type Stripe from 'stripe'
import * as z from 'zod'
import {
  availableIn,
  lockBalanceShared,
  readBalance,
  readPendingOf,
  recordMovement,
  sourceTypeOf,
} from '../balance.ts'
import type { Cause } from '../cause.ts'
import { firstRow, type Tx } from '../database.ts'
import { emitEvent } from '../events.ts'
import { convert } from '../exchange-rates.ts'
import { invalidState, notPositive } from '../http/api-error.ts'
import { integer, mergeMetadata, metadata, page, text } from '../http/params.ts'
import { type Call, route } from '../http/route.ts'
import { newId } from '../ids.ts'
import { listObjects } from '../lists.ts'
import { checkStep, formatMoney, type Settled } from '../money.ts'
import { getObject, insertObject, lockObject, type Stored, saveObject, toUnixSeconds } from '../objects.ts'

const ReverseParams = z.strictObject({
  amount: integer.optional(),
  description: text.optional(),
  metadata: metadata.optional(),
})

type ReverseParams = z.output<typeof ReverseParams>

const createReversal = ({ tx, cause, id, params }: Call<ReverseParams>) =>
  reverseTransfer(tx, cause, id, params)

/**
 * Takes money back from a connected account, up to its balance, at the rate of the moment. The money returns to the platform's balance, not to
 * the charge, so it cannot be transferred from that charge again.
 */
export async function reverseTransfer(
  tx: Tx,
  cause: Cause,
  id: string,
  params: ReverseParams,
): Promise<Stripe.TransferReversal> {
  const { body: found } = await getObject(tx, 'transfer', id)
  const chargeId = found.source_transaction ? String(found.source_transaction) : null
  const charge = chargeId ? await lockObject(tx, 'charge', chargeId) : null
  const transfer = await lockObject(tx, 'transfer', id)
  const { amount: whole, amount_reversed, currency } = transfer.body
  const amount = params.amount ?? whole - amount_reversed
  checkReversal(transfer.body, amount)
  const account = String(transfer.body.destination)
  await lockObject(tx, 'account', account)
  await lockBalanceShared(tx)
  const taken = await convert(tx, amount, currency, await arrivedIn(tx, transfer.body))
  await checkFunds(tx, { account, charge: chargeId, taken })
  const reversal = await recordReversal(tx, transfer.body, charge, { amount, taken }, params.metadata)
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

function checkReversal(transfer: Stripe.Transfer, amount: number): void {
  const { id, amount: whole, amount_reversed, currency } = transfer
  if (whole === amount_reversed) throw invalidState(`Transfer ${id} is already fully reversed.`)
  if (amount <= 0) throw notPositive('amount')
  checkStep(amount, currency)
  if (amount > whole - amount_reversed) {
    throw invalidState(
      `Reversal amount is greater than unreversed amount on transfer (${formatMoney(whole - amount_reversed, currency)})`,
      { param: 'amount' },
    )
  }
}

/** The currency in which the account received a transfer. */
async function arrivedIn(
  tx: Tx,
  { currency, destination_payment: payment }: Stripe.Transfer,
): Promise<string> {
  const arrived = firstRow(
    await tx.query<{ currency: string }>(
      `select body ->> 'currency' as currency from sandbox.objects
       where kind = 'balance_transaction' and body ->> 'source' = $1`,
      [String(payment)],
    ),
  )
  return arrived?.currency ?? currency
}

/** The account pays from its available balance, or from the pending part of the same charge. */
async function checkFunds(
  tx: Tx,
  { account, charge, taken }: { account: string; charge: string | null; taken: Settled },
): Promise<void> {
  const available = availableIn(await readBalance(tx, account), taken.currency)
  const pending = charge ? await readPendingOf(tx, charge, account) : 0
  if (taken.amount <= available + pending) return
  throw invalidState(`The account ${account} does not have enough funds to reverse this transfer.`, {
    code: 'balance_insufficient',
  })
}

/** Moves the money back and stores the reversal. */
async function recordReversal(
  tx: Tx,
  transfer: Stripe.Transfer,
  charge: Stored<'charge'> | null,
  { amount, taken }: { amount: number; taken: Settled },
  given: ReverseParams['metadata'],
): Promise<Stripe.TransferReversal> {
  const { currency } = transfer
  const [id, refund] = [newId('trr'), newId('pyr')]
  const availability = { availableOn: charge?.hidden.availableOn, charge: charge?.id }
  const { id: transaction } = await recordMovement(tx, {
    type: 'transfer_refund',
    amount,
    currency,
    source: id,
    sourceType: sourceTypeOf(transfer.source_type),
    ...availability,
  })
  await recordMovement(tx, {
    type: 'payment_refund',
    ...taken,
    amount: -taken.amount,
    source: refund,
    account: String(transfer.destination),
    ...availability,
  })
  const body: Stripe.TransferReversal = {
    id,
    object: 'transfer_reversal',
    amount,
    balance_transaction: transaction,
    created: toUnixSeconds(tx.now),
    currency,
    destination_payment_refund: refund,
    metadata: mergeMetadata({}, given),
    source_refund: null,
    transfer: transfer.id,
  }
  await insertObject(tx, 'transfer_reversal', { body, hidden: {} })
  return body
}

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

export const transferReversalRoutes = [
  route('POST', '/v1/transfers/:id/reversals', ReverseParams, createReversal),
  route('GET', '/v1/transfers/:id/reversals', ReversalListParams, listReversals),
  route('GET', '/v1/transfers/:id/reversals/:inner', z.strictObject({}), retrieveReversal),
]
