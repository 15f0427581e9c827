import type { TestProject } from 'vitest/node'
import { startTestPostgres } from '../platform/embedded-postgres.ts'
import { migrate } from '../platform/migrate.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The superuser URL of the PostgreSQL of this test run. */
    postgresUrl: string
  }
}

/** One PostgreSQL for the test run. Its default database is migrated once and serves as the template for tests. */
export default async function startPostgres(project: TestProject) {
  const { url, stop } = givenPostgres() ?? (await startTestPostgres({ inMemory: true }))
  await migrate(url)
  project.provide('postgresUrl', url)
  return stop
}

/** Mutation testing runs one test file after another, all on the same server. */
function givenPostgres() {
  const url = process.env.TEST_POSTGRES_URL
  return url ? { url, stop: async () => {} } : undefined
}
