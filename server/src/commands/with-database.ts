import { systemClock } from '../platform/clock.ts'
import { readConfig } from '../platform/config.ts'
import { type Database, openDatabase } from '../platform/database.ts'
import { startEmbeddedPostgres } from '../platform/embedded-postgres.ts'
import { migrate } from '../platform/migrate.ts'

/** Nobody waits for a command as they do for a page, and the books of a large market take their time. */
const AS_LONG_AS_IT_TAKES = 0

/** Opens the deployment's database for one command, starting the embedded one if it is not running. */
export async function withDatabase<Result>(
  work: (database: Database, url: string) => Promise<Result>,
): Promise<Result> {
  const config = readConfig()
  const embedded = config.databaseUrl
    ? null
    : await startEmbeddedPostgres({ dataDir: config.dataDir, say: (line) => console.log(line) })
  const url = config.databaseUrl ?? embedded?.url ?? ''
  const database = openDatabase(url, systemClock, () => {}, AS_LONG_AS_IT_TAKES)
  try {
    await migrate(url)
    return await work(database, url)
  } finally {
    await database.close()
    await embedded?.stop()
  }
}
