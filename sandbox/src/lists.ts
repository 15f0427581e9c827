import { firstRow, type Tx } from './database.ts'
import { notFound } from './http/api-error.ts'
import type { Body, Kind } from './kinds.ts'

export interface Page {
  limit?: number | undefined
  starting_after?: string | undefined
  ending_before?: string | undefined
  created?: { gt?: number; gte?: number; lt?: number; lte?: number } | undefined
}

export interface ApiList<Item> {
  object: 'list'
  data: Item[]
  has_more: boolean
  url: string
}

/** Fields that lists can be filtered by. */
type Filter =
  | 'charge'
  | 'currency'
  | 'customer'
  | 'destination'
  | 'payment_intent'
  | 'purpose'
  | 'source'
  | 'status'
  | 'transfer'
  | 'transfer_group'
  | 'type'

export interface Filters extends Partial<Record<Filter, string | string[] | undefined>> {
  /** Only objects of this connected account, or of the platform if null. Omitted: of all. */
  account?: string | null
  /** Only events of this connected account, or of the platform if null. */
  eventsOf?: string | null
  open?: 'true'
  /** Only balance transactions of this automatic payout. */
  payout?: string | undefined
}

const DEFAULT_LIMIT = 10

/** Returns one page of the objects of a kind, newest first. */
export async function listObjects<K extends Kind>(
  tx: Tx,
  kind: K,
  url: string,
  { limit = DEFAULT_LIMIT, ...page }: Page,
  filters: Filters = {},
): Promise<ApiList<Body<K>>> {
  const { where, values } = buildConditions(kind, page, filters)
  if (page.starting_after) {
    where.push(`seq < $${values.push(await seqOf(tx, kind, page.starting_after, 'starting_after'))}`)
  }
  if (page.ending_before) {
    where.push(`seq > $${values.push(await seqOf(tx, kind, page.ending_before, 'ending_before'))}`)
  }
  // Fetches one more than requested, to know whether there are more.
  const rows = await tx.query<{ body: Body<K> }>(
    `select body from sandbox.objects where ${where.join(' and ')}
     order by seq ${page.ending_before ? 'asc' : 'desc'} limit $${values.push(limit + 1)}`,
    values,
  )
  const data = rows.slice(0, limit).map(({ body }) => body)
  return {
    object: 'list',
    data: page.ending_before ? data.reverse() : data,
    has_more: rows.length > limit,
    url,
  }
}

const COMPARISONS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

function buildConditions(
  kind: Kind,
  { created = {} }: Page,
  { account, eventsOf, payout, ...filters }: Filters,
) {
  const values: unknown[] = [kind]
  const where = ['kind = $1', `hidden ->> 'deleted' is null`]
  if (kind === 'account') where.push(`hidden ->> 'platform' is null`)
  if (account !== undefined) where.push(`account is not distinct from $${values.push(account)}`)
  if (eventsOf !== undefined) {
    where.push(`body ->> 'account' is not distinct from $${values.push(eventsOf)}`)
  }
  if (payout !== undefined) {
    where.push(`id in (select transaction_id from sandbox.movements where payout = $${values.push(payout)})`)
  }
  for (const [field, wanted] of Object.entries(filters)) {
    if (wanted === undefined) continue
    const several = Array.isArray(wanted)
    where.push(
      `body ->> '${field}' = ${several ? `any ($${values.push(wanted)})` : `$${values.push(wanted)}`}`,
    )
  }
  for (const [comparison, at] of Object.entries(created)) {
    const operator = COMPARISONS[comparison as keyof typeof COMPARISONS]
    where.push(`(body ->> 'created')::bigint ${operator} $${values.push(at)}`)
  }
  return { where, values }
}

async function seqOf(tx: Tx, kind: Kind, id: string, param: string): Promise<string> {
  const row = firstRow(
    await tx.query<{ seq: string }>('select seq from sandbox.objects where id = $1 and kind = $2', [
      id,
      kind,
    ]),
  )
  if (!row) throw notFound(kind, id, param)
  return row.seq
}
