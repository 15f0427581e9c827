import pg from 'pg'
import { migrate } from '../server/src/database/migrate.ts'
import { createDatabase } from './create-database.ts'

/*
 * Seeds databases with due payments and with disputes. User ids have their real length, because ledger accounts and
 * notifications contain them.
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
  insert into offers (id, wanted_item_id, buyer_id, seller_id, amount, status, expires_at, accepted_at, created_at)
  select n, (n - 1) / ${PAYMENTS_PER_ITEM} + 1, md5('buyer' || (hashint4(n) & 8191))::uuid::text,
    md5('seller' || (hashint4(n) >> 13 & 1023) % 1000)::uuid::text, 100 + (hashint8extended(n, 1) & 65535),
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
  insert into ledger_entries (key, payment_id, account, amount_cents, created_at)
  select 'hold:' || id, id, account, cents, created_at
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

export async function addDisputes(url: string, total: number): Promise<void> {
  await withClient(url, async (client) => {
    await disableTriggers(client)
    await client.query(DISPUTES, [total])
    await client.query('vacuum analyze payments')
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
