import type Stripe from 'stripe'
import * as z from 'zod'
import { firstRow, type Tx } from './database.ts'
import type { Fee } from './fees.ts'
import { currency, page, reference, text } from './http/params.ts'
import { type Call, route } from './http/route.ts'
import { newId } from './ids.ts'
import { listObjects } from './lists.ts'
import { findObject, getObject, insertObject, toUnixSeconds } from './objects.ts'
import { PLATFORM_ID } from './platform-account.ts'

/*
 * The balance is the sum of all balance transactions. Each becomes available at its own time, so whether money
 * is pending or available follows from the clock alone.
 */

interface Movement {
  type: Stripe.BalanceTransaction.Type
  /** In the smallest unit of the currency; negative for outgoing money. */
  amount: number
  currency: string
  /** The rate at which the amount was converted into this currency. */
  exchangeRate?: number | null
  /** The id of the object that caused it. */
  source: string
  description?: string | null
  reportingCategory?: string
  fee?: Fee
  /** In Unix seconds; now if omitted or past. */
  availableOn?: number | undefined
  /** The connected account, or the platform if omitted. */
  account?: string | undefined
  /** The charge whose money moves. */
  charge?: string | undefined
  /** By default that of the charge. */
  sourceType?: SourceType | undefined
}

/** Stripe keeps the money of FPX payments apart from that of all other methods. */
export const SOURCE_TYPES = ['card', 'fpx'] as const
export type SourceType = (typeof SOURCE_TYPES)[number]

export const sourceTypeOf = (method: string | undefined): SourceType => (method === 'fpx' ? 'fpx' : 'card')

async function findSourceType(tx: Tx, { account, charge }: Movement): Promise<SourceType> {
  // Connected accounts have one balance.
  const found = account || !charge ? undefined : await findObject(tx, 'charge', charge)
  return sourceTypeOf(found?.body.payment_method_details?.type)
}

/** Adds a balance transaction. */
export async function recordMovement(tx: Tx, movement: Movement): Promise<Stripe.BalanceTransaction> {
  const { type, amount, currency, fee, account } = movement
  const now = toUnixSeconds(tx.now)
  const body = presentTransaction(tx, {
    id: newId('txn'),
    object: 'balance_transaction',
    amount,
    available_on: Math.max(now, movement.availableOn ?? now),
    balance_type: 'payments',
    created: now,
    currency,
    description: movement.description ?? null,
    exchange_rate: movement.exchangeRate ?? null,
    fee: fee?.amount ?? 0,
    fee_details: fee ? [{ ...fee, application: null, currency, type: 'stripe_fee' }] : [],
    net: amount - (fee?.amount ?? 0),
    reporting_category: movement.reportingCategory ?? type,
    source: movement.source,
    status: 'available',
    type,
  })
  await insertObject(tx, 'balance_transaction', { body, hidden: {}, account })
  await tx.query(
    `insert into sandbox.movements (transaction_id, account, currency, net, available_on, charge, source_type)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      body.id,
      account ?? null,
      currency,
      body.net,
      body.available_on,
      movement.charge ?? null,
      movement.sourceType ?? (await findSourceType(tx, movement)),
    ],
  )
  return body
}

/** Sets the status, which depends on the clock. */
export function presentTransaction(tx: Tx, body: Stripe.BalanceTransaction): Stripe.BalanceTransaction {
  return { ...body, status: body.available_on <= toUnixSeconds(tx.now) ? 'available' : 'pending' }
}

const BALANCE_LOCK = 7_364_012_991_004n

/** Every movement of platform money takes this lock, so that lockAvailable can wait for all of them. */
export async function lockBalanceShared(tx: Tx): Promise<void> {
  await tx.query('select pg_advisory_xact_lock_shared($1)', [BALANCE_LOCK])
}

/** Returns a part of the platform's available balance, which cannot change until this transaction ends. */
export async function lockAvailable(tx: Tx, currency: string, sourceType: SourceType): Promise<number> {
  await tx.query('select pg_advisory_xact_lock($1)', [BALANCE_LOCK])
  return availableIn(await readBalance(tx, null, sourceType), currency)
}

interface Amounts {
  available: number
  pending: number
}

export type Balances = Map<string, Amounts>

export const availableIn = (balances: Balances, currency: string): number =>
  balances.get(currency)?.available ?? 0

/** The balance by currency, of the platform if `account` is null. Without a source type, all of it. */
export async function readBalance(
  tx: Tx,
  account: string | null,
  sourceType?: SourceType,
): Promise<Balances> {
  const rows = await tx.query<{ currency: string; available: string; pending: string }>(
    `select currency,
       coalesce(sum(net) filter (where available_on <= $2), 0) as available,
       coalesce(sum(net) filter (where available_on > $2), 0) as pending
     from sandbox.movements where account is not distinct from $1 and source_type = coalesce($3, source_type)
     group by currency order by currency`,
    [account, toUnixSeconds(tx.now), sourceType ?? null],
  )
  return new Map(
    rows.map(({ currency, available, pending }) => [
      currency,
      { available: Number(available), pending: Number(pending) },
    ]),
  )
}

/** The part of a charge that is still pending, minus refunds, transfers and withdrawals. */
export async function readPendingOf(tx: Tx, charge: string, account: string | null): Promise<number> {
  const row = firstRow(
    await tx.query<{ pending: string }>(
      `select coalesce(sum(net), 0) as pending from sandbox.movements
       where charge = $1 and account is not distinct from $2 and available_on > $3`,
      [charge, account, toUnixSeconds(tx.now)],
    ),
  )
  return Number(row?.pending ?? 0)
}

async function retrieveBalance({ tx, account }: Call): Promise<Stripe.Balance> {
  const { default_currency = 'usd' } = (await getObject(tx, 'account', account ?? PLATFORM_ID)).body
  const sums = [...(await readBalance(tx, account))]
  const fpx = await readBalance(tx, account, 'fpx')
  const held = sums.length > 0 ? sums : [[default_currency, { available: 0, pending: 0 }] as const]
  const list = (part: keyof Amounts) =>
    held.map(([currency, amounts]) => {
      const byFpx = fpx.get(currency)?.[part]
      return {
        amount: amounts[part],
        currency,
        source_types: { card: amounts[part] - (byFpx ?? 0), ...(byFpx !== undefined && { fpx: byFpx }) },
      }
    })
  return { object: 'balance', available: list('available'), livemode: false, pending: list('pending') }
}

async function retrieveTransaction({ tx, id }: Call): Promise<Stripe.BalanceTransaction> {
  return presentTransaction(tx, (await getObject(tx, 'balance_transaction', id)).body)
}

const ListParams = z.strictObject({
  ...page,
  currency: currency.optional(),
  payout: reference.optional(),
  source: reference.optional(),
  type: text.optional(),
})

async function listTransactions({ tx, account, params }: Call<z.output<typeof ListParams>>) {
  const { currency, payout, source, type, ...page } = params
  if (payout) await getObject(tx, 'payout', payout, 'payout')
  const listed = await listObjects(tx, 'balance_transaction', '/v1/balance_transactions', page, {
    currency,
    payout,
    source,
    type,
    account,
  })
  return { ...listed, data: listed.data.map((body) => presentTransaction(tx, body)) }
}

export const balanceRoutes = [
  route('GET', '/v1/balance', z.strictObject({}), retrieveBalance, { forConnectedAccounts: true }),
  route('GET', '/v1/balance_transactions', ListParams, listTransactions, { forConnectedAccounts: true }),
  route('GET', '/v1/balance_transactions/:id', z.strictObject({}), retrieveTransaction, {
    forConnectedAccounts: true,
  }),
]
