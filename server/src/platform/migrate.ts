import { fileURLToPath } from 'node:url'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator'
import { runMigrations as migrateJobs } from 'graphile-worker'
import pg from 'pg'

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))
/** Any fixed number will do, as long as every process asks for the same one. */
const MIGRATION_LOCK = 7_206_834

/**
 * Brings the schema up to date. Several processes may start at once: the first one in does the work
 * while the others wait for the lock and then find nothing to do.
 */
export async function migrate(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'sought migrations' })
  // A connection that breaks rejects the query under way; the event itself has nothing to add.
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    await client.query("set client_min_messages = 'warning'")
    await applyMigrations(drizzle(client), { migrationsFolder: MIGRATIONS })
    await migrateJobs({ connectionString: databaseUrl })
  } finally {
    // Ending the connection gives the lock back, whatever happened.
    await client.end()
  }
}
