import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Currency } from '@sought/contract/currencies'
import type pg from 'pg'

/*
 * Applies migrations while other processes serve requests (ADR 76). A migration is an SQL file. Its name begins with
 * its number, which is the time when it was written, such as 20261119120000_baseline.sql.
 */

/** While a statement waits for a table lock, all later statements on that table wait behind it. */
const LOCK_TIMEOUT_MS = 3_000
const LOCK_ATTEMPTS = 60
const LOCK_RETRY_MS = 1_000
/** Not available in time, or a deadlock with a transaction that locks tables in another order. */
const LOCK_FAILURES = ['55P03', '40P01']
/** Replaces the client's limit for statements that may take hours. The largest that a timer can have. */
const UNLIMITED_MS = 2 ** 31 - 1

/**
 * The first migration creates the schema of the given version. That version had its own migrations, up to this
 * number.
 */
const BASELINE = { version: '0.1.0', replacedMigrations: 69, lastReplaced: 1_794_919_760_912 }

/** Thrown if this version cannot use the database. */
export class DatabaseRefused extends Error {}

interface Options {
  /** The currency of the deployment, which the first start stores. */
  currency?: Currency
  lockTimeoutMs?: number
  lockAttempts?: number
}

interface Migration {
  number: number
  sql: string
}

/** Applies all migrations that the database lacks, also those below its newest one. */
export async function applyMigrations(
  client: pg.Client,
  migrationsFolder: string,
  { currency = 'usd', lockTimeoutMs = LOCK_TIMEOUT_MS, lockAttempts = LOCK_ATTEMPTS }: Options = {},
): Promise<void> {
  const migrations = await readMigrations(migrationsFolder)
  const applied = await readApplied(client)
  const [baseline] = migrations
  if (applied.size > 0 && baseline && !applied.has(baseline.number)) {
    refuseUnlessReplaced(applied)
    await record(client, baseline)
    applied.add(baseline.number)
  }
  for (const migration of migrations.filter(({ number }) => !applied.has(number)))
    await retryWhileLocked(lockAttempts, () => apply(client, migration, { currency, lockTimeoutMs }))
}

/** Sorted by their numbers. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => ({
      number: Number.parseInt(name, 10),
      sql: await readFile(join(folder, name), 'utf8'),
    })),
  )
}

/** The table and its columns were named by Drizzle, and `created_at` holds the number. */
async function readApplied(client: pg.Client): Promise<Set<number>> {
  await client.query(`
    create schema if not exists drizzle;
    create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`)
  const { rows } = await client.query('select created_at from drizzle.__drizzle_migrations')
  return new Set(rows.map(({ created_at }) => Number(created_at)))
}

function refuseUnlessReplaced(applied: Set<number>): void {
  const { version, replacedMigrations, lastReplaced } = BASELINE
  const replaced = [...applied].filter((number) => number <= lastReplaced)
  if (replaced.length !== replacedMigrations)
    throw new DatabaseRefused(
      `The database lacks migrations of version ${version}: start version ${version} with it once, then start this version again.`,
    )
}

async function retryWhileLocked(maxAttempts: number, work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const isLocked = error instanceof Error && 'code' in error && LOCK_FAILURES.includes(String(error.code))
      if (!isLocked || attempt === maxAttempts) throw error
      await wait(LOCK_RETRY_MS)
    }
  }
}

async function apply(
  client: pg.Client,
  migration: Migration,
  { currency, lockTimeoutMs }: Required<Pick<Options, 'currency' | 'lockTimeoutMs'>>,
): Promise<void> {
  // Such a migration cannot run in a transaction. It waits for all earlier transactions, but blocks no others.
  if (/\bindex concurrently\b/i.test(migration.sql)) {
    await dropInvalidIndexes(client)
    await run(client, migration)
    return
  }
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`)
    await client.query("select set_config('sought.currency', $1, true)", [currency])
    await run(client, migration)
    await client.query('commit')
  } catch (error) {
    // If the connection is lost, the transaction has ended anyway.
    await client.query('rollback').catch(() => {})
    throw error
  }
}

async function run(client: pg.Client, migration: Migration): Promise<void> {
  await runUnlimited(client, migration.sql)
  await record(client, migration)
}

async function runUnlimited(client: pg.Client, text: string): Promise<void> {
  const statement: pg.QueryConfig & { query_timeout: number } = { text, query_timeout: UNLIMITED_MS }
  await client.query(statement)
}

async function record(client: pg.Client, { number, sql }: Migration): Promise<void> {
  await client.query('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [
    createHash('sha256').update(sql).digest('hex'),
    number,
  ])
}

/** Drops indexes whose concurrent build was interrupted. They are useless and block their name. */
async function dropInvalidIndexes(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`
    select format('%I.%I', nspname, relname) as name
    from pg_index join pg_class c on c.oid = indexrelid join pg_namespace n on n.oid = relnamespace
    where not indisvalid and nspname = 'public'`)
  for (const { name } of rows) await runUnlimited(client, `drop index concurrently if exists ${name}`)
}
