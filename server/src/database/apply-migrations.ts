import { setTimeout as wait } from 'node:timers/promises'
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator'
import type pg from 'pg'

/*
 * Applies migrations while other processes serve requests (ADR 76). Uses Drizzle's table of applied migrations.
 * Drizzle's own migrator runs everything in one transaction, which holds the locks of the first statement until the
 * last one has finished, and cannot build an index concurrently.
 */

/** While a statement waits for a table lock, all later statements on that table wait behind it. */
const LOCK_TIMEOUT_MS = 3_000
const LOCK_ATTEMPTS = 60
const LOCK_RETRY_MS = 1_000
const LOCK_NOT_AVAILABLE = '55P03'

export async function applyMigrations(
  client: pg.Client,
  migrationsFolder: string,
  { lockTimeoutMs = LOCK_TIMEOUT_MS, lockAttempts = LOCK_ATTEMPTS } = {},
): Promise<void> {
  await client.query(`
    create schema if not exists drizzle;
    create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`)
  const { rows } = await client.query('select max(created_at) as last from drizzle.__drizzle_migrations')
  const pending = readMigrationFiles({ migrationsFolder }).filter(
    ({ folderMillis }) => folderMillis > Number(rows[0].last ?? 0),
  )
  for (const migration of pending)
    await retryWhileLocked(lockAttempts, () => apply(client, migration, lockTimeoutMs))
}

async function retryWhileLocked(maxAttempts: number, work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const isLocked = error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE
      if (!isLocked || attempt === maxAttempts) throw error
      await wait(LOCK_RETRY_MS)
    }
  }
}

async function apply(client: pg.Client, migration: MigrationMeta, lockTimeoutMs: number): Promise<void> {
  const isConcurrent = migration.sql.some((statement) => /\bindex concurrently\b/i.test(statement))
  // Such a migration cannot run in a transaction. It waits for all earlier transactions, but blocks no others.
  if (isConcurrent) {
    await dropInvalidIndexes(client)
    await runStatements(client, migration)
    return
  }
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`)
    await runStatements(client, migration)
    await client.query('commit')
  } catch (error) {
    // If the connection is lost, the transaction has ended anyway.
    await client.query('rollback').catch(() => {})
    throw error
  }
}

async function runStatements(client: pg.Client, { sql, hash, folderMillis }: MigrationMeta): Promise<void> {
  for (const statement of sql) await client.query(statement)
  await client.query('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [
    hash,
    folderMillis,
  ])
}

/** Drops indexes whose concurrent build was interrupted. They are useless and block their name. */
async function dropInvalidIndexes(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`
    select format('%I.%I', nspname, relname) as name
    from pg_index join pg_class c on c.oid = indexrelid join pg_namespace n on n.oid = relnamespace
    where not indisvalid and nspname = 'public'`)
  for (const { name } of rows) await client.query(`drop index concurrently if exists ${name}`)
}
