import type Stripe from 'stripe'
import * as z from 'zod'
import { isDeleted } from '../accounts/account-access.ts'
import { triggerRequirements } from '../accounts/requirements.ts'
import {
  lockAvailable,
  lockBalanceShared,
  recordMovement,
  SOURCE_TYPES,
  type SourceType,
  sourceTypeOf,
} from '../balance.ts'
import { allowsCrossBorder, regionOf } from '../countries.ts'
import type { Tx } from '../database.ts'
import { emitEvent } from '../events.ts'
import { settle } from '../exchange-rates.ts'
import { invalidRequest, invalidState, notFound, notPositive } from '../http/api-error.ts'
import {
  currency,
  integer,
  mergeMetadata,
  metadata,
  metadataChange,
  page,
  reference,
  text,
} from '../http/params.ts'
import { type Call, route } from '../http/route.ts'
import { newId } from '../ids.ts'
import { listObjects } from '../lists.ts'
import { checkStep, formatMoney, type Settled } from '../money.ts'
import {
  findObject,
  getObject,
  insertObject,
  lockObject,
  type Stored,
  saveObject,
  settledOf,
  toUnixSeconds,
} from '../objects.ts'
import { getPlatform, PLATFORM_ID } from '../platform-account.ts'

const CreateParams = z.strictObject({
  amount: integer.optional(),
  currency,
  destination: reference,
  source_transaction: reference.optional(),
  transfer_group: text.optional(),
  description: text.optional(),
  metadata: metadata.optional(),
  source_type: z.enum(SOURCE_TYPES).optional(),
})

type CreateParams = z.output<typeof CreateParams>

async function createTransfer({ tx, cause, params }: Call<CreateParams>): Promise<Stripe.Transfer> {
  // Locks the charge before the account, to avoid deadlocks.
  const source = params.source_transaction
    ? await lockObject(tx, 'charge', params.source_transaction, 'source_transaction')
    : undefined
  const amount = params.amount ?? (source && settledOf(source).amount)
  if (amount === undefined)
    throw invalidRequest('Missing required param: amount.', { code: 'parameter_missing', param: 'amount' })
  if (amount <= 0) throw notPositive('amount')
  checkStep(amount, params.currency)
  const account = await checkDestination(tx, params.destination)
  const group = params.transfer_group ?? (source ? groupOf(source.body) : null)
  const sourceType = source
    ? sourceTypeOf(source.body.payment_method_details?.type)
    : (params.source_type ?? 'card')
  if (source) await takeFromCharge(tx, source, amount, params.currency)
  else await checkBalance(tx, amount, params.currency, sourceType)

  const id = newId('tr')
  const payment = newId('py')
  const { destination, currency } = params
  const availableOn = source?.hidden.availableOn
  const charge = source?.id
  const { id: entry } = await recordMovement(tx, {
    type: 'transfer',
    amount: -amount,
    currency,
    source: id,
    availableOn,
    charge,
    sourceType,
  })
  await recordMovement(tx, {
    type: 'payment',
    ...(await settle(tx, destination, amount, currency)),
    source: payment,
    account: destination,
    availableOn: isRecipient(account) ? recipientAvailability(tx, availableOn) : availableOn,
    charge,
  })
  const body: Stripe.Transfer = {
    id,
    object: 'transfer',
    amount,
    amount_reversed: 0,
    balance_transaction: entry,
    created: toUnixSeconds(tx.now),
    currency,
    description: params.description ?? null,
    destination,
    destination_payment: payment,
    livemode: false,
    metadata: mergeMetadata({}, params.metadata),
    reversals: { object: 'list', data: [], has_more: false, url: `/v1/transfers/${id}/reversals` },
    reversed: false,
    source_transaction: source?.id ?? null,
    source_type: sourceType,
    transfer_group: group,
  }
  await insertObject(tx, 'transfer', { body, hidden: {} })
  await emitEvent(tx, cause, 'transfer.created', body)
  // Stripe's trigger cards act on the account of a charge. Here, that is also the one that its money goes to.
  if (source?.hidden.triggers) await triggerRequirements(tx, cause, destination, source.hidden.triggers)
  return body
}

/** The group of a charge. Its first transfer assigns one if it has none. */
const groupOf = ({ id, payment_intent, transfer_group }: Stripe.Charge): string =>
  transfer_group ?? `group_${payment_intent ?? id}`

const isRecipient = (account: Stripe.Account) => account.tos_acceptance?.service_agreement === 'recipient'

const RECIPIENT_DELAY_SECONDS = 86_400

/** Money for accounts under the recipient agreement takes one more day. */
const recipientAvailability = (tx: Tx, availableOn: number | undefined) =>
  Math.max(toUnixSeconds(tx.now), availableOn ?? 0) + RECIPIENT_DELAY_SECONDS

async function checkDestination(tx: Tx, id: string): Promise<Stripe.Account> {
  const account = await findObject(tx, 'account', id, 'for share')
  if (!account || isDeleted(account) || id === PLATFORM_ID) throw notFound('destination', id, 'destination')
  if (account.body.capabilities?.transfers !== 'active') {
    throw invalidState(
      'Your destination account needs to have at least one of the following capabilities enabled: transfers, crypto_transfers, legacy_payments',
      { code: 'insufficient_capabilities_for_transfer' },
    )
  }
  await checkRegion(tx, account.body)
  return account.body
}

/** Transfers stay within a region, except to recipients in the cross-border corridor. */
async function checkRegion(tx: Tx, account: Stripe.Account): Promise<void> {
  const platform = (await getPlatform(tx)).body.country ?? ''
  const country = account.country ?? ''
  if (regionOf(platform) === regionOf(country)) return
  if (isRecipient(account) && allowsCrossBorder(platform, country)) return
  throw invalidState(
    `Funds can't be sent to accounts located in ${country} because it's restricted outside of your platform's region. To learn more, see: https://stripe.com/docs/connect/account-capabilities#transfers-cross-border.`,
    { code: 'transfers_not_allowed' },
  )
}

/**
 * Transfers from a charge never exceed its amount, even after refunds and disputes. Before the charge is available,
 * they need no balance.
 */
async function takeFromCharge(tx: Tx, charge: Stored<'charge'>, amount: number, currency: string) {
  const { body, hidden } = charge
  if (body.status !== 'succeeded') {
    throw invalidState(`Charge ${charge.id} did not succeed and cannot be used as a source.`, {
      param: 'source_transaction',
    })
  }
  const settled = settledOf(charge)
  if (settled.currency !== currency) {
    throw invalidState(
      `The currency of source_transaction's balance transaction (${settled.currency}) must be the same as the transfer currency (${currency})`,
      { param: 'currency' },
    )
  }
  if (hidden.transferred + amount > settled.amount) throw exceedsSource(settled, hidden.transferred)
  if ((hidden.availableOn ?? 0) > toUnixSeconds(tx.now)) await lockBalanceShared(tx)
  else await checkBalance(tx, amount, currency, sourceTypeOf(body.payment_method_details?.type))
  await saveObject(tx, {
    id: charge.id,
    body: { ...body, transfer_group: groupOf(body) },
    hidden: { ...hidden, transferred: hidden.transferred + amount },
  })
}

function exceedsSource({ amount, currency }: Settled, transferred: number): Error {
  const used =
    transferred > 0
      ? ` (There is already a transfer using this source, amounting to ${formatMoney(transferred, currency)}.)`
      : ''
  return invalidState(
    `Transfers using this transaction as a source must not exceed the source amount of ${formatMoney(amount, currency)}.${used}`,
    { param: 'amount' },
  )
}

async function checkBalance(tx: Tx, amount: number, currency: string, sourceType: SourceType): Promise<void> {
  if (amount > (await lockAvailable(tx, currency, sourceType))) {
    throw invalidState(
      'You have insufficient available funds in your Stripe account. Try adding funds directly to your available balance by creating Charges using the 4000000000000077 test card. See: https://stripe.com/docs/testing#available-balance',
      { code: 'balance_insufficient' },
    )
  }
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

export const transferRoutes = [
  route('POST', '/v1/transfers', CreateParams, createTransfer),
  route('GET', '/v1/transfers', ListParams, listTransfers),
  route('GET', '/v1/transfers/:id', z.strictObject({}), retrieveTransfer),
  route('POST', '/v1/transfers/:id', UpdateParams, updateTransfer),
]
