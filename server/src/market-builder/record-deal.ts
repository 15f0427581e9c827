import { sql } from 'drizzle-orm'
import type { Tx } from '../database/database.ts'
import type { CardProvider, Intent } from '../providers/stripe/card-provider.ts'
import type { Services } from '../services.ts'
import { createGiven, type Given, type Posted } from './given.ts'
import { createInProcessMarket } from './in-process-market.ts'
import type { Person } from './send.ts'
import { createServicesWithin } from './services-within.ts'

/*
 * Making a deal takes dozens of statements, and tests need thousands of deals. So a deal is made once, in a transaction
 * that is rolled back, and its rows are copied with other ids, people and times (copy-deals.ts).
 */

const ofPayments = '(select id from payments where wanted_item_id = $1)'
/** The copied tables, in the order of their foreign keys, and which of their rows belong to a request. */
const TABLES = {
  wanted_items: 'id = $1',
  offers: 'wanted_item_id = $1',
  payments: 'wanted_item_id = $1',
  ledger_entries: `payment_id in ${ofPayments}`,
  payouts: `payment_id in ${ofPayments}`,
  dispute_cases: `payment_id in ${ofPayments}`,
  dispute_timeline: `dispute_id in ${ofPayments}`,
}

/** Every copy has its own ids of these tables. */
export const NUMBERED = ['wanted_items', 'offers', 'payments', 'payouts'] as const
export type Numbered = (typeof NUMBERED)[number]

const ID_COLUMNS: Record<string, Numbered> = {
  wanted_item_id: 'wanted_items',
  offer_id: 'offers',
  counter_of: 'offers',
  replaced_by: 'offers',
  payment_id: 'payments',
  dispute_id: 'payments',
}

/**
 * Columns that are not copied, because the database generates them or because they are encrypted for one payment.
 */
const LEFT_OUT = ['transaction_number', 'delivery_address', 'handover_code']

const ROLES = ['buyer', 'seller', 'admin'] as const
type Cast<P> = Record<(typeof ROLES)[number], P>

export interface RecordedDeal {
  /** The rows of each table as JSON, with placeholders such as `@buyer@` and `@payments:0@`. */
  rows: string
  /** The statement for the rows of each table, which reads them from `deals`. */
  inserts: Record<string, string>
  counts: Record<Numbered, number>
}

/** Records everything that belongs to one request. */
export async function recordDeal(
  services: Services,
  make: (given: Given, cast: Cast<Person>) => Promise<Posted>,
): Promise<RecordedDeal> {
  const { transact } = services.database
  return rollBack(transact, async (tx) => {
    const { services: within } = createServicesWithin(tx, services)
    const market = createInProcessMarket({ ...within, cards: createInstantCards(tx.now) })
    const cast = {
      buyer: await market.addPerson('Buyer'),
      seller: await market.addPerson('Seller'),
      admin: await market.addPerson('Admin', 'admin'),
    }
    const { itemId } = await make(createGiven({ ...market, enterCard: async () => {} }), cast)
    return readRows(tx, itemId, cast)
  })
}

async function rollBack<Result>(
  transact: Services['database']['transact'],
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  let result: { value: Result } | undefined
  const end = new Error('ends the transaction')
  await transact(async (tx) => {
    result = { value: await work(tx) }
    throw end
  }).catch((error: unknown) => {
    if (error !== end) throw error
  })
  if (!result) throw new Error('the transaction did nothing')
  return result.value
}

interface Column {
  table: string
  name: string
  type: string
}

async function readRows(tx: Tx, itemId: number, cast: Cast<Person>): Promise<RecordedDeal> {
  const columns = Map.groupBy(await readColumns(tx), ({ table }) => table)
  const found: Record<string, Record<string, unknown>[]> = {}
  for (const [table, condition] of Object.entries(TABLES)) {
    const where = condition.replaceAll('$1', String(itemId))
    const { rows } = await tx.execute<{ row: Record<string, unknown> }>(
      sql.raw(`select to_jsonb(it) as row from ${table} it where ${where} order by id`),
    )
    if (rows.length > 0) found[table] = rows.map(({ row }) => row)
  }
  const placeOf = (table: string, id: unknown) => found[table]?.findIndex((row) => row.id === id) ?? -1

  const replace = (row: Record<string, unknown>, { table, name, type }: Column) => {
    const value = row[name]
    if (value === null) return null
    const numbered = name === 'id' ? table : ID_COLUMNS[name]
    if (numbered) return `@${numbered}:${placeOf(numbered, value)}@`
    if (name === 'stripe_payment_intent_id') return `@intent:${placeOf(table, row.id)}@`
    if (type.startsWith('timestamp')) return `@time:${Date.parse(String(value)) - tx.now.getTime()}@`
    return typeof value === 'string' ? replaceInText(value) : value
  }
  /** Ledger entries and search texts contain ids. */
  const replaceInText = (text: string) =>
    ROLES.reduce((replaced, role) => replaced.replaceAll(cast[role].id, `@${role}@`), text).replace(
      /^([a-z-]+:)?(\d+)(?=[:\n]|$)/,
      (whole, name = '', id) => {
        const place = placeOf('payments', Number(id))
        return place < 0 ? whole : `${name}@payments:${place}@`
      },
    )

  const copied = Object.entries(found).map(([table, rows]) => {
    const kept = (columns.get(table) ?? []).filter(({ name }) => !LEFT_OUT.includes(name))
    const copies = rows.map((row) => kept.map((column) => [column.name, replace(row, column)]))
    return { table, names: kept.map(({ name }) => name), rows: copies.map((it) => Object.fromEntries(it)) }
  })
  const countOf = (table: Numbered) => found[table]?.length ?? 0
  return {
    rows: JSON.stringify(Object.fromEntries(copied.map(({ table, rows }) => [table, rows]))),
    inserts: Object.fromEntries(
      copied.map(({ table, names }) => [
        table,
        `insert into ${table} (${names}) select ${names} from ${rowsOf(table)}`,
      ]),
    ),
    counts: {
      wanted_items: countOf('wanted_items'),
      offers: countOf('offers'),
      payments: countOf('payments'),
      payouts: countOf('payouts'),
    },
  }
}

/** The rows of a table in `deals`, as an SQL expression. */
export const rowsOf = (table: string) =>
  `deals, json_populate_recordset(null::${table}, deal -> '${table}') rows`

/** The columns that are copied. The database assigns new ids to rows that no other row refers to. */
async function readColumns(tx: Tx): Promise<Column[]> {
  const { rows } = await tx.execute<Column & Record<string, unknown>>(sql`
    select table_name as table, column_name as name, data_type as type from information_schema.columns
    where table_schema = 'public' and table_name in ${Object.keys(TABLES)} and is_generated = 'NEVER'
      and (column_name <> 'id' or table_name in ${NUMBERED})`)
  return rows
}

/** A card provider whose intents are paid as soon as the buyer asks. */
function createInstantCards(now: Date): CardProvider {
  const intents = new Map<string, Intent>()
  const cards: Pick<CardProvider, 'readInstallation' | 'createCustomer' | 'createIntent' | 'readIntent'> = {
    readInstallation: async () => '',
    createCustomer: async ({ id }) => `cus_${id}`,
    async createIntent({ id, amountCents, currency }) {
      const intent: Intent = {
        id: `pi_${id}`,
        clientSecret: `pi_${id}_secret_1`,
        status: 'paid',
        receivedCents: amountCents,
        currency,
        chargeId: null,
        fee: null,
        chargedAt: now,
        method: 'card',
        allowedMethods: ['card'],
        methods: ['card'],
        instructionsUrl: null,
        cardFingerprint: null,
        cardLast4: null,
        installation: null,
        hasHistory: false,
      }
      intents.set(intent.id, intent)
      return { ...intent, status: 'unpaid' }
    },
    readIntent: async (id) => intents.get(id) ?? null,
  }
  return cards as CardProvider
}
