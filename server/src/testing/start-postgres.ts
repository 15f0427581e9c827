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
  const { url, stop } = await startTestPostgres()
  await migrate(url)
  project.provide('postgresUrl', url)
  return stop
}
