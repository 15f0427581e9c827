import type { MovementKind } from '@sought/escrow/movement-kinds'
import type Stripe from 'stripe'
import { readAmount } from './amounts.ts'
import type { Movement } from './card-provider.ts'
import { idOf, mapErrors } from './stripe-api.ts'

/* Reads the balance transactions of our Stripe account and finds the payment of each. */

const PAGE_SIZE = 100

/**
 * Movements between Stripe, our bank and us, without a payment. The names are from
 * https://docs.stripe.com/reports/balance-transaction-types.
 */
const OWN_TYPES = new Set<string>([
  'payout',
  'payout_cancel',
  'payout_failure',
  'payout_minimum_balance_hold',
  'payout_minimum_balance_release',
  'topup',
  'topup_reversal',
  'reserve_transaction',
  'reserved_funds',
  'reserve_hold',
  'reserve_release',
  'payment_network_reserve_hold',
  'payment_network_reserve_release',
  'stripe_fee',
  'stripe_fx_fee',
  'tax_fee',
])

export async function* movementsSince(
  stripe: Stripe,
  since: Date,
  readInstallation: () => Promise<string>,
): AsyncGenerator<Movement[]> {
  const installation = await readInstallation()
  const created = { gte: Math.floor(since.getTime() / 1000) }
  for (let after: string | undefined; ; ) {
    const { data, has_more } = await mapErrors(() =>
      stripe.balanceTransactions.list({
        created,
        limit: PAGE_SIZE,
        expand: ['data.source'],
        ...(after && { starting_after: after }),
      }),
    )
    const read = await mapErrors(() => Promise.all(data.map((it) => asMovement(stripe, it, installation))))
    yield read.filter((movement) => movement !== null)
    after = data.at(-1)?.id
    if (!has_more || !after) return
  }
}

/** Null if it belongs to another installation. */
async function asMovement(
  stripe: Stripe,
  transaction: Stripe.BalanceTransaction,
  installation: string,
): Promise<Movement | null> {
  const source = typeof transaction.source === 'object' ? transaction.source : null
  const kind = kindOf(transaction, source)
  const { intentId, metadata } = source ? await originOf(stripe, source) : NOWHERE
  if (metadata.installation && metadata.installation !== installation) return null
  const { id, type, amount, fee, currency, created } = transaction
  return {
    id,
    kind,
    type,
    amountCents: readAmount(amount, currency),
    feeCents: readAmount(fee, currency),
    currency,
    createdAt: new Date(created * 1000),
    intentId,
    paymentId: metadata.installation && metadata.paymentId ? Number(metadata.paymentId) : null,
  }
}

function kindOf(
  { type }: Stripe.BalanceTransaction,
  source: Stripe.BalanceTransactionSource | null,
): MovementKind {
  if (OWN_TYPES.has(type)) return 'own'
  switch (source?.object) {
    case 'charge':
    case 'refund':
    case 'dispute':
    case 'transfer':
      return source.object
    case 'transfer_reversal':
      return 'transfer'
    default:
      return 'other'
  }
}

interface Origin {
  intentId: string | null
  /** The metadata of the object that names its installation. */
  metadata: Stripe.Metadata
}

const NOWHERE: Origin = { intentId: null, metadata: {} }

/** Objects made in the dashboard name no installation, but their charge does. */
async function originOf(stripe: Stripe, source: Stripe.BalanceTransactionSource): Promise<Origin> {
  switch (source.object) {
    case 'charge':
      return { intentId: idOf(source.payment_intent), metadata: source.metadata }
    case 'refund':
      if (source.metadata?.installation)
        return { intentId: idOf(source.payment_intent), metadata: source.metadata }
      return originOfCharge(stripe, source.charge)
    case 'dispute':
      return originOfCharge(stripe, source.charge)
    case 'transfer':
      return originOfTransfer(stripe, source)
    case 'transfer_reversal':
      return originOfTransfer(stripe, await stripe.transfers.retrieve(idOf(source.transfer) ?? ''))
    default:
      return NOWHERE
  }
}

async function originOfTransfer(stripe: Stripe, transfer: Stripe.Transfer): Promise<Origin> {
  const { metadata, source_transaction: charge } = transfer
  if (metadata.installation) return { intentId: null, metadata }
  return originOfCharge(stripe, charge)
}

async function originOfCharge(stripe: Stripe, reference: string | Stripe.Charge | null): Promise<Origin> {
  const id = idOf(reference)
  if (!id) return NOWHERE
  const { payment_intent, metadata } = await stripe.charges.retrieve(id)
  return { intentId: idOf(payment_intent), metadata }
}
