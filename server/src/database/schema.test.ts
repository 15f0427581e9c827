import { CURRENCIES } from '@sought/contract/currencies'
import { defaultLimits, highestLimits } from '@sought/contract/currency-defaults'
import { is } from 'drizzle-orm'
import { toSnakeCase } from 'drizzle-orm/casing'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createDatabase, openDatabase } from '../testing/world.ts'
import './bigint-parser.ts'
import * as schema from './schema.ts'

/** The minimum for a payment: two users, a request, an accepted offer and the payment. */
async function createMarket(url: string): Promise<pg.Pool> {
  const pool = new pg.Pool({ connectionString: url })
  await pool.query(`
    insert into users (id, email) values ('buyer', 'b@example.com'), ('seller', 's@example.com');
    insert into wanted_items (title, description, category, location, user_id)
      values ('Lamp', 'Green', 'Other', 'Here', 'buyer');
    insert into offers (wanted_item_id, buyer_id, seller_id, amount, expires_at, status, accepted_at)
      values (1, 'buyer', 'seller', 12000, now(), 'accepted', now());
    insert into payments (wanted_item_id, buyer_id, seller_id, offer_id, amount, currency)
      values (1, 'buyer', 'seller', 1, 12000, 'usd');
  `)
  return pool
}

const TWO_ACCEPTED = `
  with offered as (
    insert into offers (wanted_item_id, buyer_id, seller_id, amount, expires_at, status, accepted_at)
    select 1, 'buyer', 'seller', 12000, now(), 'accepted', now() from generate_series(1, 2) returning *
  )`

const savedSearch = (name: string, alerts: string) => `
  insert into saved_searches (user_id, name, alerts, filters, parts, location_parts, keys)
  values ('seller', '${name}', '${alerts}', '{}', '{}', '{}', '{""}')`

/** The columns of all tables, and the values that checks allow in a column. */
const COLUMNS = `
  select attrelid::regclass || '.' || attname as name, attnotnull as "notNull",
    format_type(atttypid, atttypmod) || coalesce(' COLLATE "' || collname || '"', '') as type,
    atthasdef or attidentity <> '' as "hasDefault"
  from pg_attribute join pg_class c on c.oid = attrelid
    left join pg_collation co on co.oid = attcollation and collname <> 'default'
  where relkind = 'r' and relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped
  order by name`

const ENUMS = `
  select conrelid::regclass || '.' || attname as name, pg_get_constraintdef(c.oid) as definition
  from pg_constraint c join pg_attribute on attrelid = conrelid and attnum = conkey[1]
  where connamespace = 'public'::regnamespace and contype = 'c' and cardinality(conkey) = 1`

const declaredColumns = Object.values(schema)
  .filter((it) => is(it, PgTable))
  .map(getTableConfig)
  .flatMap(({ name: table, columns }) =>
    columns.map((column) => {
      const name = `${table}.${toSnakeCase(column.name)}`
      return { name, column }
    }),
  )

const TYPE_NAMES: Record<string, string> = { 'timestamp (3) with time zone': 'timestamp(3) with time zone' }

test('the migrations create exactly the declared columns', async () => {
  const migrated = openPool(await openDatabase())
  const { rows } = await migrated.query(COLUMNS)
  const declared = declaredColumns.map(({ name, column }) => {
    const type = column.getSQLType()
    return {
      name,
      type: TYPE_NAMES[type] ?? type.replace(/, /g, ','),
      notNull: column.notNull,
      hasDefault:
        column.hasDefault || column.generatedIdentity !== undefined || column.generated !== undefined,
    }
  })
  expect(rows).toEqual(declared.toSorted((one, other) => (one.name < other.name ? -1 : 1)))
})

test('checks allow exactly the declared values of a column', async () => {
  const migrated = openPool(await openDatabase())
  const { rows } = await migrated.query<{ name: string; definition: string }>(ENUMS)
  const allowed = rows
    .filter(({ definition }) => /^CHECK \(\(\w+ = ANY \(ARRAY\[[^\]]*\]\)\)\)$/.test(definition))
    .map(({ name, definition }) => [name, [...definition.matchAll(/'([^']*)'/g)].map(([, value]) => value)])
  expect(allowed.length).toBeGreaterThan(10)
  for (const [name, values] of allowed) {
    const { column } = declaredColumns.find((declared) => declared.name === name) ?? {}
    expect([name, column?.enumValues?.toSorted()]).toEqual([name, (values as string[]).toSorted()])
  }
})

function openPool(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  onTestFinished(() => pool.end())
  return pool
}

async function openMarket(): Promise<pg.Pool> {
  const market = await createMarket(await openDatabase())
  onTestFinished(() => market.end())
  return market
}

/** One market for several tests. */
function shareMarket(): () => pg.Pool {
  let market: pg.Pool
  let database: Awaited<ReturnType<typeof createDatabase>>
  beforeAll(async () => {
    database = await createDatabase()
    market = await createMarket(database.url)
  })
  afterAll(async () => {
    await market.end()
    await database.drop()
  })
  return () => market
}

/** For tests whose statements are all refused. They change nothing, so they can share a market. */
const shared = shareMarket()

describe('database constraints refuse', () => {
  test.each([
    [
      'an email that differs only in case',
      "insert into users (id, email) values ('x', 'B@EXAMPLE.COM')",
      'users_email_unique',
    ],
    ['a user without an email', "insert into users (id) values ('x')", 'users_email_present'],
    ['a rating above five', 'update users set rating_sum = 6, rating_count = 1', 'users_rating'],
    ['an unknown urgency', "update wanted_items set urgency = 'now'", 'wanted_items_urgency'],
    ['an unknown request status', "update wanted_items set status = 'gone'", 'wanted_items_status'],
    [
      'a minimum budget above the maximum',
      'update wanted_items set min_budget = 2, max_budget = 1',
      'wanted_items_budget',
    ],
    [
      'two requests at one position',
      `insert into wanted_items (title, description, category, location, user_id, renewed_at, renewed_position)
       values ('Lamp', 'Red', 'Other', 'Here', 'buyer', now(), 1)`,
      'wanted_items_position',
    ],
    [
      'a second pair of push keys',
      "insert into push_keys (public_key, private_key) values ('a', 'v1:a'), ('b', 'v1:b')",
      'push_keys_one_row',
    ],
    ['a negative budget', 'update wanted_items set min_budget = -1', 'wanted_items_budget'],
    ['a place beyond a pole', "update wanted_items set place = '(0,90.1)'", 'wanted_items_place'],
    ['a place beyond the date line', "update wanted_items set place = '(-180.1,0)'", 'wanted_items_place'],
    ['a count of no views', 'insert into request_views values (1, 0)', 'request_views_count'],
    ['a saved search without a name', savedSearch('', 'daily'), 'saved_searches_name'],
    ['alerts at an unknown time', savedSearch('Lamps', 'hourly'), 'saved_searches_alerts'],
    [
      'an alert that waits for a digest although it was in one',
      "insert into search_alerts (user_id, wanted_item_id, due_at, digest_at) values ('seller', 1, now(), now())",
      'search_alerts_sent_once',
    ],
    [
      'a second pair of push keys',
      "insert into push_keys (public_key, private_key) values ('one', '-'), ('two', '-')",
      'push_keys_one_row',
    ],
    [
      'an email to nobody',
      "insert into mails (address, kind) values ('a@b', 'new_device')",
      'mails_recipient',
    ],
    ['an offer of zero', 'update offers set amount = 0', 'offers_amount'],
    ['an unknown offer status', "update offers set status = 'maybe', accepted_at = null", 'offers_status'],
    ['an offer to yourself', "update offers set seller_id = 'buyer'", 'offers_two_people'],
    ['an accepted offer without a time', 'update offers set accepted_at = null', 'offers_accepted'],
    [
      'a second payment for an offer',
      `insert into payments (wanted_item_id, buyer_id, seller_id, offer_id, amount, currency)
       select wanted_item_id, buyer_id, seller_id, offer_id, amount, currency from payments`,
      'payments_offer_unique',
    ],
    [
      'a second payment with the same intent',
      `${TWO_ACCEPTED}
       insert into payments (wanted_item_id, buyer_id, seller_id, offer_id, amount, currency, stripe_payment_intent_id)
       select wanted_item_id, buyer_id, seller_id, id, amount, 'usd', 'pi_1' from offered`,
      'payments_intent_unique',
    ],
    [
      'a second payment with a transaction number',
      `with offered as (
         insert into offers (wanted_item_id, buyer_id, seller_id, amount, expires_at)
         values (1, 'buyer', 'seller', 100, now()) returning *
       )
       insert into payments (wanted_item_id, buyer_id, seller_id, offer_id, amount, currency, transaction_number)
       select offered.wanted_item_id, offered.buyer_id, offered.seller_id, offered.id, offered.amount,
         payments.currency, payments.transaction_number from offered, payments`,
      'payments_transaction_number_unique',
    ],
    [
      'a payment with another amount than its offer',
      'update payments set amount = 1',
      'payments_offer_terms',
    ],
    [
      'a payment in another currency than its offer',
      "update payments set currency = 'eur'",
      'payments_offer_terms',
    ],
    [
      'a request in another currency than its offers',
      "update wanted_items set currency = 'eur'",
      'offers_request_currency',
    ],
    [
      'an offer in another currency than its request',
      `insert into offers (wanted_item_id, buyer_id, seller_id, amount, currency, expires_at)
       values (1, 'buyer', 'seller', 100, 'eur', now())`,
      'offers_request_currency',
    ],
    [
      'a payout in another currency than its payment',
      "insert into payouts (seller_id, payment_id, amount, currency) values ('seller', 1, 100, 'eur')",
      'payouts_payment_currency',
    ],
    [
      'a debt in another currency than its payment',
      `insert into debts (user_id, payment_id, reason, currency) values ('seller', 1, 'cancellation', 'eur')`,
      'debts_payment_currency',
    ],
    [
      'a refund in another currency than its payment',
      `insert into payment_refunds (payment_id, amount_cents, currency, reason, made_by, by_seller)
       values (1, 100, 'eur', 'Scratched', 'seller', true)`,
      'payment_refunds_payment_currency',
    ],
    [
      'a chargeback in another currency than its payment',
      `insert into chargebacks (id, payment_id, amount_cents, currency, status, reason)
       values ('dp_1', 1, 100, 'eur', 'lost', 'fraudulent')`,
      'chargebacks_payment_currency',
    ],
    [
      'goodwill in another currency than its payment',
      `insert into goodwill_payments
         (payment_id, recipient, recipient_id, amount_cents, currency, reason, status, requested_by)
       values (1, 'buyer', 'buyer', 100, 'eur', 'Late', 'waiting', 'seller')`,
      'goodwill_payments_payment_currency',
    ],
    [
      'a currency that is not a code',
      "update wanted_items set currency = 'US Dollar'",
      'wanted_items_currency_code',
    ],
    [
      'a payment with another seller than its offer',
      "update payments set seller_id = 'x'",
      'payments_offer_terms',
    ],
    [
      'an unknown payment status',
      "update payments set status = 'lost', escrow_hold_until = now()",
      'payments_status',
    ],
    ['a second installation id', 'insert into installation default values', 'installation_one_row'],
    ['a refund above the payment amount', 'update payments set refund_cents = 12001', 'payments_refund'],
    [
      'a settlement of the full amount',
      "update payments set settlement_cents = 12000, settlement_by = 'buyer', settlement_at = now()",
      'payments_settlement',
    ],
    [
      'a transaction number of another form',
      "update payments set transaction_number = '4F7K-Q2MX-9TBU'",
      'payments_transaction_number',
    ],
    ['a replaced offer that is not withdrawn', 'update offers set replaced_by = id', 'offers_replaced'],
    ['a hold without an end', "update payments set status = 'held_in_escrow'", 'payments_held'],
    [
      'a message to yourself',
      "insert into messages (wanted_item_id, sender_id, receiver_id, content) values (1, 'buyer', 'buyer', 'hi')",
      'messages_two_people',
    ],
    [
      'a blank message',
      "insert into messages (wanted_item_id, sender_id, receiver_id, content) values (1, 'buyer', 'seller', ' ')",
      'messages_content',
    ],
    [
      'a message about an unknown request',
      "insert into messages (wanted_item_id, sender_id, receiver_id, content) values (9, 'buyer', 'seller', 'hi')",
      'messages_wanted_item_id_wanted_items_id_fk',
    ],
    [
      'a rating of six stars',
      `insert into reviews (payment_id, author_id, subject_id, subject_role, rating)
       values (1, 'buyer', 'seller', 'seller', 6)`,
      'reviews_rating',
    ],
    [
      'a second review of a deal by the same person',
      `insert into reviews (payment_id, author_id, subject_id, subject_role, rating)
       select 1, 'buyer', 'seller', 'seller', 5 from generate_series(1, 2)`,
      'reviews_once',
    ],
    [
      'a review of oneself',
      "insert into reviews (payment_id, author_id, subject_id, subject_role, rating) values (1, 'buyer', 'buyer', 'buyer', 5)",
      'reviews_two_people',
    ],
    [
      'a payout of zero',
      "insert into payouts (seller_id, payment_id, amount) values ('seller', 1, 0)",
      'payouts_amount',
    ],
    [
      'a second payout for a payment',
      "insert into payouts (seller_id, payment_id, amount) values ('seller', 1, 1), ('seller', 1, 1)",
      'payouts_payment_unique',
    ],
    [
      'a second payout with the same transfer',
      `${TWO_ACCEPTED}, paid as (
         insert into payments (wanted_item_id, buyer_id, seller_id, offer_id, amount, currency)
         select wanted_item_id, buyer_id, seller_id, id, amount, 'usd' from offered returning id
       )
       insert into payouts (seller_id, payment_id, amount, provider_id) select 'seller', id, 1, 'tr_1' from paid`,
      'payouts_provider_unique',
    ],
    [
      'an unknown payout status',
      "insert into payouts (seller_id, payment_id, amount, status) values ('seller', 1, 1, 'lost')",
      'payouts_status',
    ],
    [
      'a payout that is being sent without a destination',
      "insert into payouts (seller_id, payment_id, amount, status) values ('seller', 1, 1, 'sending')",
      'payouts_sending',
    ],
    [
      'a paid payout without a time',
      "insert into payouts (seller_id, payment_id, amount, status) values ('seller', 1, 1, 'paid')",
      'payouts_paid',
    ],
    ['two users with one Google account', "update users set provider_id = '1'", 'users_provider_id_unique'],
    [
      'two users with one connected account',
      "update users set stripe_connect_account_id = 'acct_1'",
      'users_stripe_connect_account_id_unique',
    ],
    [
      'two emails for one notification',
      `with told as (
         insert into notifications (user_id, kind, key) values ('buyer', 'offer_made', 'k') returning id
       )
       insert into mails (user_id, address, kind, notification_id)
       select 'buyer', 'b@example.com', 'offer_made', id from told, generate_series(1, 2)`,
      'mails_notification_unique',
    ],
    [
      'an admin who does not exist',
      "insert into admins (user_id) values ('x')",
      'admins_user_id_users_id_fk',
    ],
    [
      'an unknown ledger account',
      "insert into ledger_entries (key, payment_id, account, amount_cents) values ('k', 1, 'pocket', 1)",
      'ledger_entries_account',
    ],
    [
      'an entry of nothing',
      "insert into ledger_entries (key, payment_id, account, amount_cents) values ('k', 1, 'provider', 0)",
      'ledger_entries_amount',
    ],
    [
      'an entry in upper case',
      "insert into ledger_entries (key, payment_id, account, amount_cents, currency) values ('k', 1, 'provider', 1, 'USD')",
      'ledger_entries_currency',
    ],
    [
      'a second appeal of a party',
      `with ruled as (
         insert into dispute_cases (payment_id, opened_by, opened_at, ended_at, ending)
         values (1, 'buyer', now(), now(), 'ruled') returning id
       )
       insert into dispute_appeals (case_id, payment_id, appellant_id, reason)
       select id, 1, 'buyer', 'It is blue' from ruled, generate_series(1, 2)`,
      'dispute_appeals_once',
    ],
    [
      'two sets of fees for one change of settings',
      `with changed as (
         insert into market_settings (settings, changed_by) values ('{}', 'buyer') returning id
       )
       insert into fee_rates (effective_from, platform_fee_basis_points, processing_fee_basis_points,
         processing_fee_cents, settings_id, created_by)
       select now(), 300, 290, 30, id, 'buyer' from changed, generate_series(1, 2)`,
      'fee_rates_settings',
    ],
    [
      'a second version of a policy with the same number',
      `insert into policy_versions (policy, version, text, effective_from, created_by)
       select 'refund_policy', 1, 'Refunds', now(), 'buyer' from generate_series(1, 2)`,
      'policy_versions_once',
    ],
  ])('%s', async (_, statement, constraint) => {
    await expect(shared().query(statement)).rejects.toMatchObject({ constraint })
  })
})

describe('the audit log', () => {
  const entries = `
    insert into audit_log (action, actor_id, subject_id, ip, device) values
      ('signed_in', 'buyer', 'buyer', '203.0.113.7', 'Firefox on Linux'),
      ('bank_account_viewed', 'seller', 'buyer', '203.0.113.8', 'Chrome on Mac')`
  const refusal = 'entries of the audit log are never changed or removed'
  const removeOrigins = 'update audit_log set ip = null, device = null'

  test.each([
    "update audit_log set action = 'signed_out'",
    removeOrigins,
    'delete from audit_log',
    'truncate audit_log',
  ])('refuses: %s', async (statement) => {
    await shared().query(entries)
    await expect(shared().query(statement)).rejects.toThrow(refusal)
  })

  test('allows only the origin of a deleted account’s actions to be erased', async () => {
    const pool = await openMarket()
    await pool.query(`${entries}; update users set deleted_at = now() where id = 'buyer'`)
    await expect(pool.query(removeOrigins)).rejects.toThrow(refusal)
    const ofBuyer = "where actor_id = 'buyer'"
    for (const change of [`${removeOrigins}, subject_id = null`, "update audit_log set ip = '203.0.113.9'"])
      await expect(pool.query(`${change} ${ofBuyer}`)).rejects.toThrow(refusal)
    await pool.query(`${removeOrigins} ${ofBuyer}`)
    const { rows } = await pool.query('select action, ip from audit_log order by id')
    expect(rows).toEqual([
      { action: 'signed_in', ip: null },
      { action: 'bank_account_viewed', ip: '203.0.113.8' },
    ])
  })
})

test.each([
  "update market_settings set settings = '{}'",
  'delete from market_settings',
  'truncate market_settings cascade',
  'update fee_rates set processing_fee_cents = 0',
  'delete from fee_rates',
  'truncate fee_rates',
])('past settings cannot be changed: %s', async (statement) => {
  await expect(shared().query(statement)).rejects.toThrow('settings of the past are never changed or removed')
})

describe('the ledger', () => {
  const post = (key: string, escrowCents: number) => `
    insert into ledger_entries (key, payment_id, account, amount_cents)
    values ('${key}', 1, 'provider', -12000), ('${key}', 1, 'escrow:1', ${escrowCents})`

  test('accepts entries that sum to zero', async () => {
    const pool = await openMarket()
    await pool.query(post('hold:1', 12_000))
    const { rows } = await pool.query('select sum(amount_cents)::int from ledger_entries')
    expect(rows).toEqual([{ sum: 0 }])
  })

  test('refuses a transaction whose entries do not sum to zero', async () => {
    const pool = await openMarket()
    await expect(pool.query(post('hold:1', 11_999))).rejects.toThrow(
      'ledger entries under key hold:1 do not sum to zero',
    )
    expect((await pool.query('select 1 from ledger_entries')).rowCount).toBe(0)
  })

  test('refuses a transaction whose entries sum to zero only across currencies', async () => {
    const pool = await openMarket()
    const post = (escrowCurrency: string) => `
      insert into ledger_entries (key, payment_id, account, amount_cents, currency)
      values ('hold:1', 1, 'provider', -5, 'eur'), ('hold:1', 1, 'escrow:1', 5, '${escrowCurrency}')`
    await expect(pool.query(post('myr'))).rejects.toThrow(
      'ledger entries under key hold:1 do not sum to zero',
    )
    await pool.query(post('eur'))
  })

  test('enters the currency of the payment', async () => {
    const pool = await openMarket()
    await pool.query(post('hold:1', 12_000))
    const { rows } = await pool.query('select distinct currency from ledger_entries')
    expect(rows).toEqual([{ currency: 'usd' }])
  })

  test('checks the sum at the end of the transaction', async () => {
    const pool = await openMarket()
    await pool.query(`
      begin;
      insert into ledger_entries (key, payment_id, account, amount_cents) values ('hold:1', 1, 'provider', -5);
      insert into ledger_entries (key, payment_id, account, amount_cents) values ('hold:1', 1, 'escrow:1', 5);
      commit`)
    expect((await pool.query('select 1 from ledger_entries')).rowCount).toBe(2)
  })

  test('accepts each key only once', async () => {
    const pool = await openMarket()
    await pool.query(post('hold:1', 12_000))
    await expect(pool.query(post('hold:1', 12_000))).rejects.toMatchObject({
      constraint: 'ledger_entries_key_account_currency_unique',
    })
  })

  test.each([
    'update ledger_entries set amount_cents = 1',
    'delete from ledger_entries',
    'truncate ledger_entries',
  ])('refuses: %s', async (statement) => {
    await shared().query(post(`to be kept from ${statement}`, 12_000))
    await expect(shared().query(statement)).rejects.toThrow('ledger entries are never changed or removed')
  })

  test('must hold in escrow the amount that the payment’s status requires', async () => {
    const pool = await openMarket()
    const hold = "update payments set status = 'held_in_escrow', escrow_hold_until = now()"
    await expect(pool.query(hold)).rejects.toThrow('payment 1 is held_in_escrow with 0 cents in escrow')
    await pool.query(`begin; ${hold}; ${post('hold:1', 12_000)}; commit`)
    await expect(
      pool.query("update payments set status = 'completed', completed_at = now()"),
    ).rejects.toThrow('payment 1 is completed with 12000 cents in escrow')
    const giveBack = 'update payments set returned_cents = 2000'
    await expect(pool.query(giveBack)).rejects.toThrow(
      'payment 1 is held_in_escrow with 12000 cents in escrow',
    )
    const refund = `insert into ledger_entries (key, payment_id, account, amount_cents)
      values ('dashboard-refund:re_1', 1, 'escrow:1', -2000), ('dashboard-refund:re_1', 1, 'provider', 2000)`
    await pool.query(`begin; ${giveBack}; ${refund}; commit`)
  })
})

test('amounts reach the largest that the provider takes, and are exact numbers', async () => {
  const market = await openMarket()
  await market.query(`
    insert into wanted_items (title, description, category, location, user_id, max_budget, currency)
    values ('Boat', 'Blue', 'Other', 'Here', 'buyer', 9999999999.99, 'idr');
    insert into offers (wanted_item_id, buyer_id, seller_id, amount, expires_at)
    values (2, 'buyer', 'seller', 999999999999, now())`)
  const { rows } = await market.query('select amount, currency from offers where wanted_item_id = 2')
  expect(rows).toEqual([{ amount: 999_999_999_999, currency: 'idr' }])
  await expect(market.query('select 9007199254740993::bigint')).rejects.toThrow(
    'too large for an exact number',
  )
})

test('the database knows the same multiples of the smallest charge as the code', async () => {
  const sql = openPool(await openDatabase())
  for (const { code } of CURRENCIES) {
    const { rows } = await sql.query(
      'select times_smallest_charge(200, $1) as approval, times_smallest_charge(20000, $1) as max',
      [code],
    )
    const expected = {
      approval: defaultLimits(code).goodwillApprovalCents,
      max: highestLimits(code).goodwill,
    }
    expect([code, rows[0]]).toEqual([code, expected])
  }
  expect((await sql.query("select times_smallest_charge(1, 'xau') as unknown")).rows).toEqual([
    { unknown: null },
  ])
})
