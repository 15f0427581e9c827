import { openDatabase } from '@sought/sandbox/database'
import { prepareTables } from '@sought/sandbox/tables'
import type { TestProject } from 'vitest/node'
import { startTestPostgres } from '../database/embedded-postgres/embedded-postgres.ts'
import { migrate } from '../database/migrate.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The superuser URL of the PostgreSQL of this test run. */
    postgresUrl: string
  }
}

type Started = Awaited<ReturnType<typeof start>>

let started: Promise<Started> | undefined

/** One PostgreSQL for the test run. Vitest calls this for each project, and stops them all at the end. */
export default async function startPostgres(project: TestProject) {
  started ??= start()
  const { url, stop } = await started
  project.provide('postgresUrl', url)
  return stop
}

/** The default database gets all tables once and serves as the template for tests. */
async function start() {
  const { socketUrl: url, stop } = givenPostgres() ?? (await startTestPostgres({ inMemory: true }))
  await migrate(url)
  await prepareSandbox(url)
  return { url, stop }
}

async function prepareSandbox(url: string) {
  const database = openDatabase(
    url,
    () => new Date(),
    (error) => console.error(error),
  )
  await database.transact(prepareTables)
  await database.close()
}

/** Mutation testing runs one test file after another, all on the same server. */
function givenPostgres() {
  const url = process.env.TEST_POSTGRES_URL
  return url ? { socketUrl: url, stop: async () => {} } : undefined
}
