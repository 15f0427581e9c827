import { fileURLToPath } from 'node:url'
import type { Currency } from '@sought/contract/platform'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator'
import { runMigrations as migrateJobs } from 'graphile-worker'
import pg from 'pg'

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))
/** An arbitrary number that all processes share. */
const MIGRATION_LOCK = 7_206_834

/**
 * Applies pending migrations. Several processes may start at once: the first applies them, the others wait for the
 * lock and then find nothing to do. Payments from before they had a currency get the given one.
 */
export async function migrate(databaseUrl: string, currency: Currency = 'usd'): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'sought migrations' })
  // A broken connection also rejects the running query, so the event needs no handling.
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    await client.query("set client_min_messages = 'warning'")
    await client.query("select set_config('sought.currency', $1, false)", [currency])
    await applyMigrations(drizzle(client), { migrationsFolder: MIGRATIONS })
    await migrateJobs({ connectionString: databaseUrl })
  } finally {
    // Closing the connection releases the lock.
    await client.end()
  }
}
