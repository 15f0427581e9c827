import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { startProcess } from '../testing/start-process.ts'
import { openDatabase } from '../testing/world.ts'
import { applyMigrations, readMigrations } from './apply-migrations.ts'
import { MIGRATION_LOCK, MIGRATIONS, migrate } from './migrate.ts'

/** The migrations of version 0.1.0, as it recorded them. */
const OF_0_1_0 = [
  1_794_707_908_931, 1_794_707_910_253, 1_794_712_872_885, 1_794_712_925_170, 1_794_712_926_856,
  1_794_714_767_759, 1_794_714_769_267, 1_794_718_638_788, 1_794_718_640_765, 1_794_719_925_695,
  1_794_729_994_118, 1_794_730_043_612, 1_794_744_243_601, 1_794_816_279_557, 1_794_831_331_000,
  1_794_831_331_527, 1_794_833_004_345, 1_794_836_881_340, 1_794_837_378_934, 1_794_838_596_350,
  1_794_840_422_565, 1_794_841_025_000, 1_794_842_632_129, 1_794_843_314_972, 1_794_847_912_603,
  1_794_848_752_726, 1_794_849_592_849, 1_794_850_666_040, 1_794_850_667_040, 1_794_850_668_040,
  1_794_854_376_160, 1_794_859_000_000, 1_794_859_994_446, 1_794_860_580_118, 1_794_864_099_048,
  1_794_865_094_016, 1_794_866_023_599, 1_794_866_867_870, 1_794_871_718_118, 1_794_873_879_415,
  1_794_874_599_010, 1_794_881_350_288, 1_794_882_833_253, 1_794_883_364_239, 1_794_883_365_239,
  1_794_883_366_239, 1_794_885_625_410, 1_794_892_713_556, 1_794_892_714_556, 1_794_892_715_556,
  1_794_892_716_556, 1_794_892_717_556, 1_794_892_718_556, 1_794_892_719_556, 1_794_893_687_561,
  1_794_893_688_561, 1_794_896_511_839, 1_794_904_754_874, 1_794_904_755_874, 1_794_904_756_874,
  1_794_904_757_874, 1_794_904_758_874, 1_794_904_759_874, 1_794_904_760_874, 1_794_904_761_874,
  1_794_904_762_874, 1_794_904_763_874, 1_794_904_764_874, 1_794_919_760_912,
]
const OLDEST = OF_0_1_0[0]
const NEWEST = OF_0_1_0.at(-1)

const REFUSAL =
  'The database lacks migrations of version 0.1.0: start version 0.1.0 with it once, then start this version again.'

function openPool(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url })
  onTestFinished(() => pool.end())
  return pool
}

async function readNumbers(sql: pg.Pool): Promise<number[]> {
  const { rows } = await sql.query('select created_at from drizzle.__drizzle_migrations order by id')
  return rows.map(({ created_at }) => Number(created_at))
}

const numbersOfMigrations = async () => (await readMigrations(MIGRATIONS)).map(({ number }) => number)

/** A database with the schema and the records of version 0.1.0, and a user. */
async function openDatabaseOf010() {
  const url = await openDatabase({ migrated: false })
  const sql = openPool(url)
  const client = new pg.Client(url)
  await client.connect()
  await applyMigrations(client, await copyBaseline())
  await client.end()
  await sql.query('truncate drizzle.__drizzle_migrations restart identity')
  await sql.query(
    "insert into drizzle.__drizzle_migrations (hash, created_at) select 'of 0.1.0', unnest($1::bigint[])",
    [OF_0_1_0],
  )
  await sql.query("create table ratings (); insert into users (id, email) values ('ada', 'ada@example.com')")
  return { url, sql }
}

const copyBaseline = () => copyMigrations((_name, at) => at === 0)

async function copyMigrations(isCopied: (name: string, at: number) => boolean): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const names = (await readdir(MIGRATIONS)).sort().filter(isCopied)
  await Promise.all(names.map((name) => copyFile(join(MIGRATIONS, name), join(folder, name))))
  return folder
}

test('eight processes that migrate an empty database concurrently apply each migration once', {
  tags: ['proof'],
}, async () => {
  const url = await openDatabase({ migrated: false })
  await Promise.all(Array.from({ length: 8 }, () => migrate(url)))
  expect(await readNumbers(openPool(url))).toEqual(await numbersOfMigrations())
})

test('a process that waits for another one’s migration has no open transaction', {
  tags: ['proof'],
}, async () => {
  const url = await openDatabase({ migrated: false })
  const first = new pg.Client({ connectionString: url })
  await first.connect()
  onTestFinished(() => first.end())
  await first.query(`select pg_advisory_lock(${MIGRATION_LOCK})`)
  const migrated = migrate(url)
  // Building an index concurrently would wait for the transaction, and the transaction would wait for the end of the
  // migrations.
  const statesOfWaiting = async () => {
    const { rows } = await first.query(
      `select state from pg_stat_activity
       where datname = current_database() and application_name = 'sought migrations' and query <> ''`,
    )
    return rows
  }
  await expect.poll(statesOfWaiting).toEqual([{ state: 'idle' }])
  await first.query(`select pg_advisory_unlock(${MIGRATION_LOCK})`)
  await migrated
  const { rows } = await first.query('select count(*)::int from users')
  expect(rows).toEqual([{ count: 0 }])
})

test('a database of version 0.1.0 continues with the migrations after the baseline', async () => {
  const { url, sql } = await openDatabaseOf010()
  await migrate(url)
  expect(await readNumbers(sql)).toEqual([...OF_0_1_0, ...(await numbersOfMigrations())])
  expect((await sql.query("select to_regclass('ratings') as ratings, id from users")).rows).toEqual([
    { ratings: null, id: 'ada' },
  ])
  await migrate(url)
  expect(await readNumbers(sql)).toHaveLength(OF_0_1_0.length + (await numbersOfMigrations()).length)
})

test.each([
  ['the newest', NEWEST],
  ['an older', OLDEST],
])('a database without %s migration of version 0.1.0 is refused and not changed', async (_, missing) => {
  const { url, sql } = await openDatabaseOf010()
  await sql.query('delete from drizzle.__drizzle_migrations where created_at = $1', [missing])
  await expect(migrate(url)).rejects.toThrow(REFUSAL)
  expect(await readNumbers(sql)).toEqual(OF_0_1_0.filter((number) => number !== missing))
})

test('the server does not start with a database older than version 0.1.0, and explains what to do', {
  tags: ['proof'],
  timeout: 60_000,
}, async () => {
  const { url, sql } = await openDatabaseOf010()
  await sql.query('delete from drizzle.__drizzle_migrations where created_at = $1', [NEWEST])
  const { exited, errors } = await startProcess({ DATABASE_URL: url })
  expect(await errors).toBe(`${REFUSAL}\n`)
  expect(await exited).toBe(1)
})

test('a database of a newer version is used without changes', async () => {
  const url = await openDatabase()
  const sql = openPool(url)
  await sql.query(
    "insert into drizzle.__drizzle_migrations (hash, created_at) values ('newer', 99999999999999)",
  )
  await migrate(url)
  expect(await readNumbers(sql)).toEqual([...(await numbersOfMigrations()), 99_999_999_999_999])
})

test('existing requests get a first version, which their offers answer', async () => {
  const { url, sql } = await openDatabaseOf010()
  const client = new pg.Client(url)
  await client.connect()
  onTestFinished(() => client.end())
  const post = (title: string) =>
    sql.query(
      `insert into wanted_items (title, description, category, location, user_id)
       values ($1, 'Green', 'Other', 'Here', 'ada')`,
      [title],
    )
  const offer = (itemId: number) =>
    sql.query(
      `insert into offers (wanted_item_id, buyer_id, seller_id, amount, expires_at)
       values ($1, 'ada', 'bob', 100, now())`,
      [itemId],
    )
  await sql.query("insert into users (id, email) values ('bob', 'bob@example.com')")
  await post('Lamp')
  await post('Edited during the update')
  await offer(1)
  await offer(2)
  await applyMigrations(client, await copyMigrations((name) => name <= '20261119160000_request_versions.sql'))
  // The previous release still serves, and knows no versions.
  await sql.query("update wanted_items set title = 'Rolex' where id = 2")
  await sql.query("update offers set status = 'withdrawn', withdrawn_at = now() where id = 2")
  await offer(2)
  await migrate(url)
  const { rows } = await sql.query(
    'select offer_id as id, version, title, description from offer_requests order by offer_id',
  )
  expect(rows).toEqual([
    { id: 1, version: 1, title: 'Lamp', description: 'Green' },
    { id: 2, version: 1, title: 'Edited during the update', description: 'Green' },
    { id: 3, version: 2, title: 'Rolex', description: 'Green' },
  ])
})

test('existing ledger entries get the currency of their payment, as do those of the previous release', async () => {
  const { url, sql } = await openDatabaseOf010()
  const client = new pg.Client(url)
  await client.connect()
  onTestFinished(() => client.end())
  const addPayment = (id: number, currency: string) =>
    sql.query(`
      insert into users (id, email) values ('bob${id}', 'bob${id}@example.com');
      insert into wanted_items (title, description, category, location, user_id)
      values ('Lamp', 'Green', 'Other', 'Here', 'ada');
      insert into offers (wanted_item_id, buyer_id, seller_id, amount, status, accepted_at, expires_at)
      values (${id}, 'ada', 'bob${id}', 100, 'accepted', now(), now());
      insert into payments (wanted_item_id, buyer_id, seller_id, offer_id, amount, currency)
      values (${id}, 'ada', 'bob${id}', ${id}, 100, '${currency}')`)
  const post = (key: string, paymentId: number) =>
    sql.query(
      `insert into ledger_entries (key, payment_id, account, amount_cents)
       values ($1, $2, 'provider', -1), ($1, $2, 'losses:refunds', 1)`,
      [key, paymentId],
    )
  await addPayment(1, 'usd')
  await addPayment(2, 'myr')
  await post('a', 1)
  await post('b', 2)
  const before = await copyMigrations((name) => name <= '20261119190000_add_ledger_currency.sql')
  await applyMigrations(client, before)
  await post('c', 2)
  await expect(sql.query("update ledger_entries set currency = 'eur'")).rejects.toThrow('never changed')
  await migrate(url)
  await post('d', 2)
  const { rows } = await sql.query('select distinct key, currency from ledger_entries order by key')
  expect(rows).toEqual([
    { key: 'a', currency: 'usd' },
    { key: 'b', currency: 'myr' },
    { key: 'c', currency: 'myr' },
    { key: 'd', currency: 'myr' },
  ])
})

/** The schema of the release before currencies, with a deal in dollars, which a start with CURRENCY=myr interrupted. */
async function openDatabaseWithoutCurrencies() {
  const { url, sql } = await openDatabaseOf010()
  const client = new pg.Client(url)
  await client.connect()
  onTestFinished(() => client.end())
  await applyMigrations(client, await copyMigrations((name) => name < '20261120020000'))
  await sql.query(`
    insert into users (id, email) values ('bob', 'bob@example.com'), ('cyd', 'cyd@example.com');
    insert into wanted_items (title, description, category, location, user_id)
    select title, 'Green', 'Other', 'Here', 'ada' from unnest(array['Lamp', 'Chair', 'Desk']) title;
    insert into offers (wanted_item_id, buyer_id, seller_id, amount, status, accepted_at, expires_at) values
      (1, 'ada', 'bob', 12000, 'accepted', now(), now()),
      (1, 'ada', 'cyd', 11000, 'accepted', now(), now()),
      (2, 'ada', 'bob', 9000, 'accepted', now(), now()),
      (3, 'ada', 'bob', 8000, 'accepted', now(), now());
    insert into payments (wanted_item_id, buyer_id, seller_id, offer_id, amount, currency) values
      (1, 'ada', 'bob', 1, 12000, 'usd'), (1, 'ada', 'cyd', 2, 11000, 'myr'), (2, 'ada', 'bob', 3, 9000, 'usd');
    insert into payouts (seller_id, payment_id, amount) values ('bob', 1, 11262), ('cyd', 2, 10000);
    insert into payment_refunds (payment_id, amount_cents, reason, made_by, by_seller)
    values (1, 500, 'Scratched', 'bob', true);
    insert into chargebacks (id, payment_id, amount_cents, status, reason) values ('dp_1', 1, 12000, 'lost', 'fraudulent');
    insert into provider_facts (key, payment_id, amount_cents) values ('refunded:re_1', 1, 500);
    insert into goodwill_payments (payment_id, recipient, recipient_id, amount_cents, reason, status, requested_by)
    values (1, 'buyer', 'ada', 500, 'Late', 'waiting', 'cyd')`)
  return { url, sql }
}

const currenciesIn = async (sql: pg.Pool, table: string) =>
  (await sql.query(`select currency from ${table} order by 1`)).rows.map(({ currency }) => currency)

test('deals keep the currency of their payment, and everything else gets that of the deployment', async () => {
  const { url, sql } = await openDatabaseWithoutCurrencies()
  await migrate(url, 'myr')
  const byTitle = (table: string) =>
    sql.query(`select title, currency from ${table} order by title`).then(({ rows }) => rows)
  const requests = [
    { title: 'Chair', currency: 'usd' },
    { title: 'Desk', currency: 'myr' },
    // It had deals in two currencies, and the latest counts.
    { title: 'Lamp', currency: 'myr' },
  ]
  expect(await byTitle('wanted_items')).toEqual(requests)
  expect(await byTitle('request_versions')).toEqual(requests)
  const { rows: offers } = await sql.query('select amount, currency from offers order by id')
  expect(offers).toEqual([
    { amount: 12_000, currency: 'usd' },
    { amount: 11_000, currency: 'myr' },
    { amount: 9_000, currency: 'usd' },
    { amount: 8_000, currency: 'myr' },
  ])
  expect(await currenciesIn(sql, 'payouts')).toEqual(['myr', 'usd'])
  expect(await currenciesIn(sql, 'payment_refunds')).toEqual(['usd'])
  expect(await currenciesIn(sql, 'chargebacks')).toEqual(['usd'])
  expect(await currenciesIn(sql, 'provider_facts')).toEqual(['usd'])
  expect(await currenciesIn(sql, 'goodwill_payments')).toEqual(['usd'])
  expect(await currenciesIn(sql, 'fee_rates')).toEqual(['myr'])
  expect(await currenciesIn(sql, 'installation')).toEqual(['myr'])
})

test('what the previous release writes gets the currency of its request or payment', async () => {
  const { url, sql } = await openDatabaseWithoutCurrencies()
  await migrate(url, 'myr')
  await sql.query(`
    insert into wanted_items (title, description, category, location, user_id)
    values ('Shelf', 'Green', 'Other', 'Here', 'ada');
    update wanted_items set title = 'Oak shelf' where id = 4;
    insert into offers (wanted_item_id, buyer_id, seller_id, amount, expires_at)
    values (2, 'ada', 'cyd', 7000, now()), (4, 'ada', 'cyd', 7000, now());
    insert into payouts (seller_id, payment_id, amount) values ('bob', 3, 8000);
    insert into payment_refunds (payment_id, amount_cents, reason, made_by, by_seller)
    values (3, 500, 'Scratched', 'bob', true);
    insert into chargebacks (id, payment_id, amount_cents, status, reason) values ('dp_3', 3, 9000, 'lost', 'fraudulent');
    insert into provider_facts (key, payment_id, amount_cents) values ('refunded:re_3', 3, 500);
    insert into goodwill_payments (payment_id, recipient, recipient_id, amount_cents, reason, status, requested_by)
    values (3, 'buyer', 'ada', 500, 'Late', 'waiting', 'cyd')`)
  const last = async (table: string) =>
    (await sql.query(`select currency from ${table} order by ctid desc limit 1`)).rows[0].currency
  expect(await last('wanted_items')).toBe('myr')
  expect((await sql.query('select currency from request_versions where wanted_item_id = 4')).rows).toEqual([
    { currency: 'myr' },
    { currency: 'myr' },
  ])
  expect((await sql.query('select currency from offers where id > 4 order by id')).rows).toEqual([
    { currency: 'usd' },
    { currency: 'myr' },
  ])
  for (const table of ['payouts', 'payment_refunds', 'chargebacks', 'provider_facts', 'goodwill_payments'])
    expect([table, await last(table)]).toEqual([table, 'usd'])
  // A restart with another CURRENCY changes no currency of a deal.
  await expect(
    sql.query(`
      update offers set status = 'accepted', accepted_at = now() where id = 5;
      insert into payments (wanted_item_id, buyer_id, seller_id, offer_id, amount, currency)
      values (2, 'ada', 'cyd', 5, 7000, 'myr')`),
  ).rejects.toThrow('payments_offer_terms')
})
