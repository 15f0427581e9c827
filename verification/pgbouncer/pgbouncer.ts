import type { Part } from '../support/part.ts'
import { startPgBouncer } from '../support/pgbouncer.ts'
import { lineOfTests, testFilesOf } from '../support/run-test-files.ts'
import { runThroughPoolerOnly } from './pooler-only.ts'

/** The tests of all features, with PgBouncer in transaction mode between the server and PostgreSQL. */
export const pgbouncer: Part = async ({ postgresUrl, share, only = '' }) => {
  const pooler = await startPgBouncer(postgresUrl)
  try {
    const files = (await testFilesOf('server/src/features')).filter((file) => file.includes(only))
    const some = files.slice(0, Math.max(1, Math.ceil(files.length * share)))
    const env = { TEST_POSTGRES_URL: postgresUrl, TEST_POOLER_PORT: String(pooler.port) }
    return [
      await runThroughPoolerOnly(postgresUrl, pooler.urlOf(postgresUrl)),
      await lineOfTests('tests of the features through PgBouncer', some, { env }),
    ]
  } finally {
    await pooler.stop()
  }
}
