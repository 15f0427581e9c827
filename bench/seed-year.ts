import { CATEGORIES } from '@sought/contract/constants'
import { DISPUTE_REASONS } from '@sought/contract/dispute-draft'
import pg from 'pg'
import { ADMIN_SESSION } from './seed-payments.ts'

/*
 * Adds a year of deals to a market: requests, offers, payments with their ledger entries, payouts and disputes.
 * Most payments are completed, those of the last days are in escrow, and five in a hundred were refunded or
 * disputed. The counting triggers are disabled during this, so the figures have to be counted afterwards.
 */

const BUYERS = 100_000
const SELLERS = 1_000
/** Payments share requests, because indexing the text of a million requests would take too long. */
const PAYMENTS_PER_ITEM = 10
const DAYS = 365
const ESCROW_DAYS = 10
const COUNTRIES = ['DE', 'FR', 'GB', 'US', 'CA', 'AU', 'MY', 'IT', 'ES', 'PT', 'NL', 'BE', 'AT', 'CH', 'PL']

const listOf = (names: readonly string[]) => `array[${names.map((name) => `'${name}'`).join(', ')}]`
const pick = (names: readonly string[], n: string) => `(${listOf(names)})[1 + ${n} % ${names.length}]`

const PEOPLE = `
  insert into users (id, email, first_name, last_name, created_at)
  select md5('person' || n)::uuid::text, 'person' || n || '@example.org', initcap(translate(md5(n::text), '0123456789', 'aeiouaeiou')),
    'Person ' || n, now() - 2 * n * interval '${DAYS} days' / ${BUYERS}
  from generate_series(1, ${BUYERS}) n`

const ITEMS = `
  insert into wanted_items (id, title, description, category, location, country, max_budget, user_id, status, created_at)
  select n, 'Lamp ' || (hashint4(n) & 65535), 'Green, of brass, with a shade', ${pick(CATEGORIES, 'n')}, 'Somewhere',
    ${pick(COUNTRIES, 'n / 7')}, 700, md5('person' || 1 + (hashint4(n) & 65535))::uuid::text, 'fulfilled',
    now() - (1 - n::float8 / $1) * interval '${DAYS} days'
  from generate_series(1, $1::integer) n`

const OFFERS = `
  insert into offers (id, wanted_item_id, buyer_id, seller_id, amount, status, expires_at, accepted_at, created_at)
  select n, item.id, item.user_id, md5('seller' || (hashint4(n) & 1048575) % ${SELLERS})::uuid::text,
    1000 + (hashint8extended(n, 1) & 65535), 'accepted', moment, moment, moment
  from generate_series(1, $1::integer) n
  join wanted_items item on item.id = (n - 1) / ${PAYMENTS_PER_ITEM} + 1,
  lateral (select now() - (1 - n::float8 / $1) * interval '${DAYS} days' as moment) accepted`

const STATUS = `
  case
    when created_at > now() - interval '${ESCROW_DAYS} days' then 'held_in_escrow'
    when created_at > now() - interval '${2 * ESCROW_DAYS} days' and id % 100 = 50 then 'disputed'
    else (array['refunded', 'refunded', 'resolved_buyer', 'resolved_seller', 'resolved_partial', 'completed'])
      [least(1 + id % 100, 6)]
  end`

const PAYMENTS = `
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
  insert into ledger_entries (key, payment_id, account, amount_cents, created_at)
  select posting || ':' || id, id, account, cents, at
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
  insert into payouts (seller_id, payment_id, amount, method, status, provider_id, paid_at, created_at)
  select seller_id, payment_id, amount_cents, 'transfer', 'paid', 'tr_bench' || payment_id, entry.created_at, entry.created_at
  from ledger_entries entry join payments on payments.id = payment_id
  where key = 'release:' || payment_id and account = 'seller:' || seller_id`

const DISPUTES = `
  insert into dispute_cases (payment_id, opened_by, opened_at, reason, first_step_at, ended_at, ending, ruled_by)
  select id, 'buyer', disputed_at, ${pick(DISPUTE_REASONS, 'id / 100')},
    case when status <> 'disputed' then disputed_at + interval '1 hour' * (id / 100 % 48) end, ended_at,
    case when status <> 'disputed' then 'ruled' end, case when status <> 'disputed' then '${ADMIN_SESSION}' end
  from payments where disputed_at is not null`

const TABLES = ['users', 'wanted_items', 'offers', 'payments', 'ledger_entries', 'payouts', 'dispute_cases']

export async function addYear(url: string, total: number, log: (line: string) => void): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const began = performance.now()
  const run = async (what: string, statement: string, values: number[] = []) => {
    const { rowCount } = await client.query(statement, values)
    const seconds = Math.round((performance.now() - began) / 1000)
    log(`${rowCount?.toLocaleString('en') ?? 'all'} ${what} after ${seconds} s`)
  }
  try {
    await client.query(
      "set statement_timeout = 0; set work_mem = '256MB'; set maintenance_work_mem = '256MB'; set session_replication_role = replica",
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
    await run('people', PEOPLE)
    await run('requests', ITEMS, [total / PAYMENTS_PER_ITEM])
    await run('offers', OFFERS, [total])
    await run('payments', PAYMENTS)
    await run('ledger entries', ENTRIES)
    await run('payouts', PAYOUTS)
    await run('disputes', DISPUTES)
    for (const { name, definition } of checks)
      await client.query(`alter table ledger_entries add constraint ${name} ${definition} not valid`)
    for (const { indexdef } of indexes) await client.query(indexdef)
    await run('indexes', `vacuum analyze ${TABLES.join(', ')}`)
  } finally {
    await client.end()
  }
}
