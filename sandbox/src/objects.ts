import { firstRow, type Tx } from './database.ts'
import { notFound } from './http/api-error.ts'
import type { Body, Hidden, Kind } from './kinds.ts'
import type { Settled } from './money.ts'

/** A stored object: `body` is what the API returns, `hidden` is internal state. */
export interface Stored<K extends Kind> {
  id: string
  body: Body<K>
  hidden: Hidden<K>
}

interface NewObject<K extends Kind> {
  body: Body<K>
  hidden: Hidden<K>
  account?: string | undefined
  settleAt?: Date | undefined
}

export async function insertObject<K extends Kind>(tx: Tx, kind: K, it: NewObject<K>): Promise<Stored<K>> {
  await tx.query(
    `insert into sandbox.objects (id, kind, account, created_at, settle_at, body, hidden)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      it.body.id,
      kind,
      it.account ?? null,
      tx.now,
      it.settleAt ?? null,
      JSON.stringify(it.body),
      JSON.stringify(it.hidden),
    ],
  )
  return { id: it.body.id, body: it.body, hidden: it.hidden }
}

/** The caller has locked the object. */
export async function saveObject<K extends Kind>(tx: Tx, { id, body, hidden }: Stored<K>): Promise<void> {
  await tx.query('update sandbox.objects set body = $2, hidden = $3 where id = $1', [
    id,
    JSON.stringify(body),
    JSON.stringify(hidden),
  ])
}

export async function deleteObject(tx: Tx, id: string): Promise<void> {
  await tx.query('delete from sandbox.objects where id = $1', [id])
}

/** Sets when a pending object settles, or clears it with null. */
export async function scheduleSettlement(tx: Tx, id: string, at: Date | null): Promise<void> {
  await tx.query('update sandbox.objects set settle_at = $2 where id = $1', [id, at])
}

export async function findObject<K extends Kind>(
  tx: Tx,
  kind: K,
  id: string,
  lock: '' | 'for update' | 'for share' = '',
): Promise<Stored<K> | undefined> {
  return firstRow(
    await tx.query<Stored<K>>(
      `select id, body, hidden from sandbox.objects where id = $1 and kind = $2 ${lock}`,
      [id, kind],
    ),
  )
}

const NOUNS: Record<Kind, string> = {
  account: 'account',
  balance_transaction: 'balance transaction',
  charge: 'charge',
  customer: 'customer',
  customer_cash_balance_transaction: 'customer cash balance transaction',
  dispute: 'dispute',
  early_fraud_warning: 'early fraud warning',
  event: 'event',
  file: 'file',
  payment_intent: 'payment_intent',
  payment_method: 'PaymentMethod',
  payment_method_configuration: 'payment method configuration',
  payout: 'payout',
  refund: 'refund',
  review: 'review',
  transfer: 'transfer',
  transfer_reversal: 'transfer reversal',
  webhook_endpoint: 'webhook endpoint',
}

/** Throws if the object does not exist. `param` is the parameter that contained the id, if any. */
export async function getObject<K extends Kind>(
  tx: Tx,
  kind: K,
  id: string,
  param?: string,
): Promise<Stored<K>> {
  return (await findObject(tx, kind, id)) ?? throwNotFound(kind, id, param)
}

/** Like getObject, and locks the object until the transaction ends. */
export async function lockObject<K extends Kind>(
  tx: Tx,
  kind: K,
  id: string,
  param?: string,
): Promise<Stored<K>> {
  return (await findObject(tx, kind, id, 'for update')) ?? throwNotFound(kind, id, param)
}

function throwNotFound(kind: Kind, id: string, param: string | undefined): never {
  throw notFound(NOUNS[kind], id, param)
}

/** What a charge added to the platform's balance. */
export const settledOf = ({ body: { amount, currency }, hidden }: Stored<'charge'>): Settled =>
  hidden.settled ?? { amount, currency, exchangeRate: null }

export const toUnixSeconds = (at: Date): number => Math.floor(at.getTime() / 1000)
