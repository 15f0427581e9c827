import type Stripe from 'stripe'
import * as z from 'zod'
import type { Tx } from './database.ts'
import { newId } from './ids.ts'
import { listObjects } from './lists.ts'
import { getObject, insertObject, toUnixSeconds } from './objects.ts'
import { page } from './params.ts'
import { type Call, route } from './route.ts'

/*
 * The sandbox charges no fees, and the money of a charge is available at once. The balance is therefore
 * exactly the sum of all movements.
 */

interface Movement {
  type: 'adjustment' | 'charge' | 'payment' | 'refund' | 'refund_failure' | 'transfer' | 'transfer_refund'
  /** In cents; negative for outgoing money. */
  amount: number
  currency: string
  /** The id of the object that caused it. */
  source: string
  /** The connected account, or the platform if omitted. */
  account?: string
}

/** Returns the id of the new balance transaction. */
export async function recordMovement(tx: Tx, movement: Movement): Promise<string> {
  const body: Stripe.BalanceTransaction = {
    id: newId('txn'),
    object: 'balance_transaction',
    amount: movement.amount,
    available_on: toUnixSeconds(tx.now),
    balance_type: 'payments',
    created: toUnixSeconds(tx.now),
    currency: movement.currency,
    description: null,
    exchange_rate: null,
    fee: 0,
    fee_details: [],
    net: movement.amount,
    reporting_category: movement.type,
    source: movement.source,
    status: 'available',
    type: movement.type,
  }
  await insertObject(tx, 'balance_transaction', { body, hidden: {}, account: movement.account })
  return body.id
}

const BALANCE_LOCK = 7_364_012_991_004n

/** Taken by every movement of platform money, so that lockBalance can wait for all of them. */
export async function lockBalanceShared(tx: Tx): Promise<void> {
  await tx.query('select pg_advisory_xact_lock_shared($1)', [BALANCE_LOCK])
}

/** Returns the platform's balance, which cannot change until this transaction ends. */
export async function lockBalance(tx: Tx, currency: string): Promise<number> {
  await tx.query('select pg_advisory_xact_lock($1)', [BALANCE_LOCK])
  return (await sumByCurrency(tx, null)).get(currency) ?? 0
}

/** Cents by currency. */
export async function sumByCurrency(tx: Tx, account: string | null): Promise<Map<string, number>> {
  const rows = await tx.query<{ currency: string; cents: string }>(
    `select body ->> 'currency' as currency, sum((body ->> 'net')::bigint) as cents
     from sandbox.objects
     where kind = 'balance_transaction' and account is not distinct from $1
     group by 1 order by 1`,
    [account],
  )
  return new Map(rows.map(({ currency, cents }) => [currency, Number(cents)]))
}

async function retrieveBalance({ tx, account }: Call): Promise<Stripe.Balance> {
  if (account) await getObject(tx, 'account', account)
  const sums = [...(await sumByCurrency(tx, account))]
  const held = sums.length > 0 ? sums : [['usd', 0] as const]
  return {
    object: 'balance',
    available: held.map(([currency, amount]) => ({ amount, currency, source_types: { card: amount } })),
    livemode: false,
    pending: held.map(([currency]) => ({ amount: 0, currency, source_types: { card: 0 } })),
  }
}

async function retrieveEntry({ tx, id }: Call): Promise<Stripe.BalanceTransaction> {
  return (await getObject(tx, 'balance_transaction', id)).body
}

const ListParams = z.strictObject(page)

const listEntries = ({ tx, params }: Call<z.output<typeof ListParams>>) =>
  listObjects(tx, 'balance_transaction', '/v1/balance_transactions', params)

export const balanceRoutes = [
  route('GET', '/v1/balance', z.strictObject({}), retrieveBalance, { forConnectedAccounts: true }),
  route('GET', '/v1/balance_transactions', ListParams, listEntries),
  route('GET', '/v1/balance_transactions/:id', z.strictObject({}), retrieveEntry),
]
