import type { TestProject } from 'vitest/node'
import { startTestPostgres } from '../platform/embedded-postgres.ts'
import { migrate } from '../platform/migrate.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The superuser's address of the PostgreSQL that lives as long as this test run. */
    postgresUrl: string
  }
}

/** One PostgreSQL for the run. Its own database is migrated and then left alone: tests copy it. */
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
