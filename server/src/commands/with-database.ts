import { systemClock } from '../core/clock.ts'
import { readConfig } from '../core/config.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { startEmbeddedPostgres } from '../database/embedded-postgres/embedded-postgres.ts'
import { migrate } from '../database/migrate.ts'

/** Checking a large ledger can take long, and no user waits for a command. */
const NO_TIMEOUT = 0

/** Opens the database for one command. Starts the embedded PostgreSQL if it is not running. */
export async function withDatabase<Result>(
  work: (database: Database, url: string) => Promise<Result>,
): Promise<Result> {
  const config = readConfig()
  const embedded = config.databaseUrl
    ? null
    : await startEmbeddedPostgres({ dataDir: config.dataDir, say: (line) => console.log(line) })
  const url = config.databaseUrl ?? embedded?.url ?? ''
  const directUrl = config.databaseDirectUrl ?? url
  const database = openDatabase(url, systemClock, () => {}, { directUrl, statementTimeoutMs: NO_TIMEOUT })
  try {
    await migrate(directUrl, config.currency)
    return await work(database, url)
  } finally {
    await database.close()
    await embedded?.stop()
  }
}
