import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Currency } from '@sought/contract/currencies'
import { runMigrations as migrateJobs } from 'graphile-worker'
import pg from 'pg'
import { readVersion } from '../core/installed-release.ts'
import { applyMigrations } from './apply-migrations.ts'
import { prepareClient } from './pooler.ts'
import { recordRelease, refuseLaterSchema } from './releases.ts'
import { CONNECTION_LIMITS } from './silent-connections.ts'

export const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))
/** An arbitrary number that all processes share. */
export const MIGRATION_LOCK = 7_206_834
const LOCK_RETRY_MS = 200
/** For all statements except those of migrations, which may take long. */
const QUERY_TIMEOUT_MS = 20_000

/**
 * Applies pending migrations. Several processes may start at once: the first one applies the migrations, the others
 * wait for the lock and then find nothing to do. `currency` is the one that a new market begins with.
 */
export async function migrate(databaseUrl: string, currency?: Currency): Promise<void> {
  await withMigrationLock(databaseUrl, async () => {
    await withClient(databaseUrl, async (client) => {
      await prepareClient(client, { client_min_messages: 'warning' })
      const version = await readVersion()
      await refuseLaterSchema(client, version)
      await applyMigrations(client, MIGRATIONS, { ...(currency && { currency }) })
      await recordRelease(client, version)
    })
    await migrateQueue(databaseUrl)
    await withClient(databaseUrl, storeAnnouncementsOfJobs)
  })
}

/**
 * graphile-worker's function calls `pg_notify` in the transaction that adds a job, and commits with NOTIFY wait for
 * each other (ADR 107). It names no schema, so our function comes first.
 */
async function storeAnnouncementsOfJobs(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query(
    `select from pg_proc where oid = 'graphile_worker.add_jobs'::regproc and proconfig is not null`,
  )
  if (rowCount) return
  await client.query(`
    create or replace function graphile_worker.pg_notify(channel text, payload text) returns void
      language sql as 'select public.announce(channel, payload)';
    alter function graphile_worker.add_jobs set search_path to graphile_worker, pg_catalog, public`)
}

/** The lock belongs to a transaction, because a pooler would share a session's lock with other clients. */
async function withMigrationLock(databaseUrl: string, work: () => Promise<void>): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    while (!(await tryLock(client))) await wait(LOCK_RETRY_MS)
    await work()
    await client.query('commit')
  })
}

/** graphile-worker would open a connection without limits. */
async function migrateQueue(databaseUrl: string): Promise<void> {
  const pgPool = new pg.Pool({ ...CONNECTION_LIMITS, connectionString: databaseUrl, max: 1 })
  pgPool.on('error', () => {})
  pgPool.on('connect', (client) => client.on('error', () => {}))
  await migrateJobs({ pgPool }).finally(() => pgPool.end())
}

async function withClient(databaseUrl: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({
    ...CONNECTION_LIMITS,
    connectionString: databaseUrl,
    application_name: 'sought migrations',
    query_timeout: QUERY_TIMEOUT_MS,
  })
  // A broken connection also rejects the running query, so the event needs no handling.
  client.on('error', () => {})
  await client.connect()
  try {
    await work(client)
  } finally {
    // Closing the connection releases the lock.
    await client.end()
  }
}

/**
 * Begins a transaction that has the lock. If the lock is taken, the transaction ends at once: building an index
 * concurrently waits for every older transaction that has a snapshot, and would wait forever for a transaction that
 * itself waits for the lock. For the same reason the transaction must not keep a snapshot, so its statements have no
 * parameters.
 */
async function tryLock(client: pg.Client): Promise<boolean> {
  await client.query(
    'begin; set local idle_in_transaction_session_timeout = 0; set local statement_timeout = 0',
  )
  const { rows } = await client.query(`select pg_try_advisory_xact_lock(${MIGRATION_LOCK}) as locked`)
  if (!rows[0].locked) await client.query('rollback')
  return rows[0].locked
}
