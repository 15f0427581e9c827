import type { TestProject } from 'vitest/node'
import { startTestPostgres } from '../src/platform/embedded-postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The superuser's address of the PostgreSQL that lives as long as this test run. */
    postgresUrl: string
  }
}

export default async function startPostgres(project: TestProject) {
  const { url, stop } = await startTestPostgres()
  project.provide('postgresUrl', url)
  return stop
}
