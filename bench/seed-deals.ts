import { CATEGORIES } from '@sought/contract/constants'
import { DISPUTE_REASONS } from '@sought/contract/dispute-draft'
import pg from 'pg'
import { migrate } from '../server/src/database/migrate.ts'
import { createDatabase } from './create-database.ts'

/*
 * Bulk data for benchmarks: due payments, disputes, and a year of deals. It is inserted, because making millions of
 * deals through calls would take days. User ids have their real length, because ledger accounts and notifications
 * contain them.
 */

const BATCH = 100_000
/** Payments share requests, because indexing the text of a million requests would take too long. */
const PAYMENTS_PER_ITEM = 100
export const ADMIN_SESSION = 'bench-admin'
/** The id of the first seller: md5('seller0') as a UUID. */
export const SELLER_ID = '75c06913-20e3-e130-39b5-997a8c49fd48'

/** One in three sellers has a connected account, so their payouts enqueue a job. */
const PEOPLE = `
  with people as (
    insert into users (id, email, first_name, last_name, stripe_connect_account_id)
    select md5('seller' || n)::uuid::text, 'seller' || n || '@example.com', 'Bench', 'Seller ' || n,
      case when n % 3 = 0 then 'acct_bench' || n end
    from generate_series(0, 999) n
    union all
    select md5('buyer' || n)::uuid::text, 'buyer' || n || '@example.com', 'Bench', 'Buyer ' || n, null
    from generate_series(0, 9999) n
    union all
    select '${ADMIN_SESSION}', 'admin@example.com', 'Bench', 'Admin', null
    returning id
  ), admin as (
    insert into admins (user_id) select id from people where id = '${ADMIN_SESSION}'
  )
  insert into sessions (sid, sess, expire)
  select id, jsonb_build_object('userId', id, 'createdAt', now()), now() + interval '30 days'
  from people where id = '${ADMIN_SESSION}'`

const ITEMS = `
  insert into wanted_items (id, title, description, category, location, max_budget, user_id)
  select n, 'Lamp ' || n, 'Green, of brass, with a shade', 'Other', 'Ipoh', 700, md5('buyer' || n % 10000)::uuid::text
  from generate_series($1::integer / ${PAYMENTS_PER_ITEM} + 1, $2::integer / ${PAYMENTS_PER_ITEM}) n`

const OFFERS = `
  insert into offers (id, wanted_item_id, buyer_id, seller_id, amount, currency, status, expires_at, accepted_at, created_at)
  select n, (n - 1) / ${PAYMENTS_PER_ITEM} + 1, md5('buyer' || (hashint4(n) & 8191))::uuid::text,
    md5('seller' || (hashint4(n) >> 13 & 1023) % 1000)::uuid::text, 100 + (hashint8extended(n, 1) & 65535), 'usd',
    'accepted', moment, moment, moment
  from generate_series($1::integer, $2::integer) n,
    lateral (select now() - interval '40 days' + n * interval '1 second' as moment) paid`

const PAYMENTS = `
  insert into payments (id, wanted_item_id, buyer_id, seller_id, offer_id, amount, currency, stripe_payment_intent_id, status,
    escrow_hold_until, seller_accepted_at, created_at, updated_at)
  select id, wanted_item_id, buyer_id, seller_id, id, amount, 'usd', 'pi_bench' || id, 'held_in_escrow',
    created_at + case when amount >= 50000 then interval '14 days' else interval '7 days' end,
    created_at, created_at, created_at
  from offers where id between $1::integer and $2::integer order by id`

const HOLDS = `
  insert into ledger_entries (key, payment_id, account, amount_cents, currency, created_at)
  select 'hold:' || id, id, account, cents, currency, created_at
  from payments, lateral (values ('provider', -amount), ('escrow:' || id, amount)) entry (account, cents)
  where id between $1::integer and $2::integer order by id`

/** Replaces the database with a new one that has only users, and returns its URL. */
export async function createMarket(adminUrl: string, name: string): Promise<string> {
  const url = await createDatabase(adminUrl, name)
  await migrate(url)
  await withClient(url, (client) => client.query(PEOPLE))
  return url
}

/** Adds due payments with the ids from `first` to `last`. */
export async function addDuePayments(url: string, first: number, last: number): Promise<void> {
  await withClient(url, async (client) => {
    await client.query(ITEMS, [first, last])
    await disableTriggers(client)
    for (let from = first; from <= last; from += BATCH) {
      const range = [from, Math.min(from + BATCH - 1, last)]
      for (const insert of [OFFERS, PAYMENTS, HOLDS]) await client.query(insert, range)
    }
    // Not all tables: statistics of empty tables would be wrong once they fill up.
    await client.query('vacuum analyze users, wanted_items, offers, payments, ledger_entries')
  })
}

/** Above the ids of all due payments. */
const FIRST_DISPUTE = 10_000_000

const REASON = `'The thing that arrived is not the one that was agreed on. '
  || repeat('I wrote to the seller twice and heard nothing that would help. ', 4)
  || case when n % 10 < 3 then 'The walnut is cracked. ' else '' end
  || case when n % 100 = 50 then 'The brass is bent. ' else '' end
  || case when n % ($1::integer / 20) = 0 then 'There is no sextant. ' else '' end || 'Case ' || n`

/** Half are resolved for the seller, the rest are spread over the other dispute statuses. */
const DISPUTES = `
  insert into payments (id, wanted_item_id, buyer_id, seller_id, offer_id, amount, currency, stripe_payment_intent_id, status,
    escrow_hold_until, dispute_reason, disputed_at, dispute_words)
  select id, 1, buyer_id, seller_id, id, 5000, 'usd', 'pi_bench' || id,
    case when n % 2 = 0 then 'resolved_seller'
      else (array['disputed', 'under_review', 'resolved_buyer', 'resolved_partial'])[1 + n / 2 % 4] end,
    now(), reason, now(), lower(concat_ws(E'\\n', id, 'Lamp 1', reason, buyer_id, seller_id))
  from generate_series(1, $1::integer) n, lateral (
    select ${FIRST_DISPUTE} + n as id, md5('buyer' || n % 10000)::uuid::text as buyer_id,
      md5('seller' || n % 1000)::uuid::text as seller_id, ${REASON} as reason
  ) made_up`

const DISPUTED_OFFERS = `
  insert into offers (id, wanted_item_id, buyer_id, seller_id, amount, currency, status, expires_at, accepted_at)
  select offer_id, wanted_item_id, buyer_id, seller_id, amount, currency, 'accepted', created_at, created_at
  from payments where id > ${FIRST_DISPUTE}`

/** The triggers that do this are disabled. */
const VERSIONS = `
  insert into request_versions
    (wanted_item_id, version, title, description, category, min_budget, max_budget, currency, images, created_at)
  select id, version, title, description, category, min_budget, max_budget, currency, images, created_at
  from wanted_items
  on conflict do nothing`

export async function addDisputes(url: string, total: number): Promise<void> {
  await withClient(url, async (client) => {
    await disableTriggers(client)
    await client.query(DISPUTES, [total])
    await client.query(DISPUTED_OFFERS)
    await client.query('vacuum analyze payments, offers')
  })
}

/*
 * A year of deals: requests, offers, payments with their ledger entries, payouts and disputes. Most payments are
 * completed, those of the last days are in escrow, and five in a hundred were refunded or disputed. The counting
 * triggers are disabled during this, so the figures have to be counted afterwards.
 */

const BUYERS = 100_000
const SELLERS = 1_000
/** Payments share requests, because indexing the text of a million requests would take too long. */
const YEAR_PAYMENTS_PER_ITEM = 10
const DAYS = 365
const ESCROW_DAYS = 10
const COUNTRIES = ['DE', 'FR', 'GB', 'US', 'CA', 'AU', 'MY', 'IT', 'ES', 'PT', 'NL', 'BE', 'AT', 'CH', 'PL']

const listOf = (names: readonly string[]) => `array[${names.map((name) => `'${name}'`).join(', ')}]`
const pick = (names: readonly string[], n: string) => `(${listOf(names)})[1 + ${n} % ${names.length}]`

const YEAR_PEOPLE = `
  insert into users (id, email, first_name, last_name, created_at)
  select md5('person' || n)::uuid::text, 'person' || n || '@example.org', initcap(translate(md5(n::text), '0123456789', 'aeiouaeiou')),
    'Person ' || n, now() - 2 * n * interval '${DAYS} days' / ${BUYERS}
  from generate_series(1, ${BUYERS}) n`

const YEAR_ITEMS = `
  insert into wanted_items (id, title, description, category, location, country, max_budget, user_id, status, created_at)
  select n, 'Lamp ' || (hashint4(n) & 65535), 'Green, of brass, with a shade', ${pick(CATEGORIES, 'n')}, 'Somewhere',
    ${pick(COUNTRIES, 'n / 7')}, 700, md5('person' || 1 + (hashint4(n) & 65535))::uuid::text, 'fulfilled',
    now() - (1 - n::float8 / $1) * interval '${DAYS} days'
  from generate_series(1, $1::integer) n`

const YEAR_OFFERS = `
  insert into offers (id, wanted_item_id, buyer_id, seller_id, amount, currency, status, expires_at, accepted_at, created_at)
  select n, item.id, item.user_id, md5('seller' || (hashint4(n) & 1048575) % ${SELLERS})::uuid::text,
    1000 + (hashint8extended(n, 1) & 65535), 'usd', 'accepted', moment, moment, moment
  from generate_series(1, $1::integer) n
  join wanted_items item on item.id = (n - 1) / ${YEAR_PAYMENTS_PER_ITEM} + 1,
  lateral (select now() - (1 - n::float8 / $1) * interval '${DAYS} days' as moment) accepted`

const STATUS = `
  case
    when created_at > now() - interval '${ESCROW_DAYS} days' then 'held_in_escrow'
    when created_at > now() - interval '${2 * ESCROW_DAYS} days' and id % 100 = 50 then 'disputed'
    else (array['refunded', 'refunded', 'resolved_buyer', 'resolved_seller', 'resolved_partial', 'completed'])
      [least(1 + id % 100, 6)]
  end`

const YEAR_PAYMENTS = `
  insert into payments (id, wanted_item_id, buyer_id, seller_id, offer_id, amount, currency, stripe_payment_intent_id, status,
    escrow_hold_until, seller_accepted_at, charged_at, completed_at, ended_at, disputed_at, dispute_reason, dispute_words,
    refund_cents, refunded_at, card_last4, carrier, tracking_number, shipped_at, created_at, updated_at)
  select id, wanted_item_id, buyer_id, seller_id, id, amount, 'usd', 'pi_bench' || id, status, charged_at + interval '14 days',
    charged_at, charged_at,
    case when status = 'completed' then ended_at end, case when not is_open then ended_at end,
    case when is_disputed then charged_at + interval '3 days' end,
    case when is_disputed then 'The lamp is not green.' end, case when is_disputed then 'lamp ' || id end,
    refunded, case when refunded > 0 then ended_at end, lpad((id * 7 % 10000)::text, 4, '0'),
    case when is_shipped then 'dhl' end, case when is_shipped then 'BENCH' || id end,
    case when is_shipped then charged_at end, charged_at, charged_at
  from (
    select id, wanted_item_id, buyer_id, seller_id, amount, created_at as charged_at,
      created_at + interval '7 days' as ended_at, reached.status,
      reached.status in ('held_in_escrow', 'disputed') as is_open,
      reached.status <> 'refunded' as is_shipped, reached.status ~ '^(disputed|resolved)' as is_disputed,
      case reached.status
        when 'refunded' then amount
        when 'resolved_buyer' then amount
        when 'resolved_partial' then amount / 2
      end as refunded
    from offers, lateral (select ${STATUS} as status) reached
  ) paid`

/** The entries for holding, releasing and paying out a payment. All refunds and payouts have arrived. */
const ENTRIES = `
  insert into ledger_entries (key, payment_id, account, amount_cents, currency, created_at)
  select posting || ':' || id, id, account, cents, currency, at
  from (
    select *, sold - platform - processing as payout
    from (
      select *, least(amount, (sold * 300 + 5000) / 10000) as platform, (sold * 290 + 5000) / 10000 + 30 as processing
      from (
        select *, status in ('held_in_escrow', 'disputed') as is_open, coalesce(refund_cents, 0) as refunded,
          amount - coalesce(refund_cents, 0) as sold
        from payments
      ) split
    ) charged
  ) payment,
  lateral (
    values
      ('hold', 'provider', -amount, charged_at),
      ('hold', 'escrow:' || id, amount, charged_at),
      ('provider-fee', 'provider', 30, charged_at),
      ('provider-fee', 'fees:provider', -30, charged_at),
      ('release', 'escrow:' || id, case when not is_open then -amount end, ended_at),
      ('release', 'buyer:' || buyer_id, case when not is_open then refunded end, ended_at),
      ('release', 'seller:' || seller_id, case when not is_open and sold > 0 then payout end, ended_at),
      ('release', 'fees:platform', case when not is_open and sold > 0 then platform end, ended_at),
      ('release', 'fees:processing', case when not is_open and sold > 0 then processing end, ended_at),
      ('refund', 'buyer:' || buyer_id, case when not is_open then -refunded end, ended_at),
      ('refund', 'provider', case when not is_open then refunded end, ended_at),
      ('payout', 'seller:' || seller_id, case when not is_open and sold > 0 then -payout end, ended_at),
      ('payout', 'provider', case when not is_open and sold > 0 then payout end, ended_at)
  ) entry (posting, account, cents, at)
  where cents <> 0`

const PAYOUTS = `
  insert into payouts (seller_id, payment_id, amount, currency, method, status, provider_id, paid_at, created_at)
  select seller_id, payment_id, amount_cents, entry.currency, 'transfer', 'paid', 'tr_bench' || payment_id, entry.created_at, entry.created_at
  from ledger_entries entry join payments on payments.id = payment_id
  where key = 'release:' || payment_id and account = 'seller:' || seller_id`

const YEAR_DISPUTES = `
  insert into dispute_cases (payment_id, opened_by, opened_at, reason, first_step_at, ended_at, ending, ruled_by)
  select id, 'buyer', disputed_at, ${pick(DISPUTE_REASONS, 'id / 100')},
    case when status <> 'disputed' then disputed_at + interval '1 hour' * (id / 100 % 48) end, ended_at,
    case when status <> 'disputed' then 'ruled' end, case when status <> 'disputed' then '${ADMIN_SESSION}' end
  from payments where disputed_at is not null`

const TABLES = [
  'users',
  'wanted_items',
  'request_versions',
  'offers',
  'payments',
  'ledger_entries',
  'payouts',
  'dispute_cases',
]

export async function addYear(url: string, total: number, log: (line: string) => void): Promise<void> {
  const began = performance.now()
  await withClient(url, async (client) => {
    const run = async (what: string, statement: string, values: number[] = []) => {
      const { rowCount } = await client.query(statement, values)
      const seconds = Math.round((performance.now() - began) / 1000)
      log(`${rowCount?.toLocaleString('en') ?? 'all'} ${what} after ${seconds} s`)
    }
    await disableTriggers(client)
    await client.query(
      "set statement_timeout = 0; set work_mem = '256MB'; set maintenance_work_mem = '256MB'",
    )
    const { rows: indexes } = await client.query<{ indexname: string; indexdef: string }>(
      `select indexname, indexdef from pg_indexes
       where tablename = any($1) and indexname not in (select conname from pg_constraint)`,
      [TABLES],
    )
    const { rows: checks } = await client.query<{ name: string; definition: string }>(
      `select conname as name, pg_get_constraintdef(oid) as definition
       from pg_constraint where conrelid = 'ledger_entries'::regclass and conname = 'ledger_entries_account'`,
    )
    // Creating indexes at the end takes a fraction of the time, and checking ten million accounts would take
    // minutes.
    await client.query(`drop index ${indexes.map(({ indexname }) => indexname).join(', ')}`)
    for (const { name } of checks) await client.query(`alter table ledger_entries drop constraint ${name}`)
    await run('people', YEAR_PEOPLE)
    await run('requests', YEAR_ITEMS, [total / YEAR_PAYMENTS_PER_ITEM])
    await run('versions', VERSIONS)
    await run('offers', YEAR_OFFERS, [total])
    await run('payments', YEAR_PAYMENTS)
    await run('ledger entries', ENTRIES)
    await run('payouts', PAYOUTS)
    await run('disputes', YEAR_DISPUTES)
    for (const { name, definition } of checks)
      await client.query(`alter table ledger_entries add constraint ${name} ${definition} not valid`)
    for (const { indexdef } of indexes) await client.query(indexdef)
    await run('indexes', `vacuum analyze ${TABLES.join(', ')}`)
  })
}

/** Skips foreign keys and triggers, which would check millions of valid rows. */
async function disableTriggers(client: pg.Client): Promise<void> {
  await client.query('set session_replication_role = replica')
}

async function withClient(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
