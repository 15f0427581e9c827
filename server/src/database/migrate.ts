import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Currency } from '@sought/contract/currencies'
import { runMigrations as migrateJobs } from 'graphile-worker'
import pg from 'pg'
import { applyMigrations } from './apply-migrations.ts'
import { prepareClient } from './pooler.ts'

export const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))
/** An arbitrary number that all processes share. */
export const MIGRATION_LOCK = 7_206_834
const LOCK_RETRY_MS = 200

/**
 * Applies pending migrations. Several processes may start at once: the first one applies the migrations, the others
 * wait for the lock and then find nothing to do. `currency` is the one that a new market begins with.
 */
export async function migrate(databaseUrl: string, currency?: Currency): Promise<void> {
  await withMigrationLock(databaseUrl, async () => {
    await withClient(databaseUrl, async (client) => {
      await prepareClient(client, { client_min_messages: 'warning' })
      await applyMigrations(client, MIGRATIONS, { ...(currency && { currency }) })
    })
    await migrateJobs({ connectionString: databaseUrl })
  })
}

/** The lock belongs to a transaction, because a pooler would share a session's lock with other clients. */
async function withMigrationLock(databaseUrl: string, work: () => Promise<void>): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    while (!(await tryLock(client))) await wait(LOCK_RETRY_MS)
    await work()
    await client.query('commit')
  })
}

async function withClient(databaseUrl: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'sought migrations' })
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
