import pg from 'pg'
import { BadConfig, readConfig } from '../core/config.ts'
import { DatabaseRefused } from '../database/apply-migrations.ts'
import { startEmbeddedPostgres } from '../database/embedded-postgres/embedded-postgres.ts'
import { MIGRATIONS, migrate } from '../database/migrate.ts'
import { type PlannedMigration, type PlannedStep, planMigrations } from '../database/plan-migrations.ts'

/**
 * npm run migrate: applies the pending migrations, as each start does. With -- --dry-run it changes nothing, and names
 * them with the locks that they take and how long each takes at most on tables of this size.
 */
const options = process.argv.slice(2)
if (options.some((option) => option !== '--dry-run')) {
  console.error('Usage: npm run migrate [-- --dry-run]')
  process.exit(2)
}

try {
  await withUrl(async (url) => {
    const planned = await plan(url)
    if (options.includes('--dry-run'))
      for (const line of planned.flatMap(describeMigration)) console.log(line)
    else await migrate(url)
    console.log(summarize(planned))
  })
} catch (error) {
  if (!(error instanceof BadConfig || error instanceof DatabaseRefused)) throw error
  console.error(error.message)
  process.exitCode = 1
}

async function withUrl(work: (url: string) => Promise<void>): Promise<void> {
  const { databaseUrl, databaseDirectUrl, dataDir } = readConfig()
  const url = databaseDirectUrl ?? databaseUrl
  if (url) return work(url)
  const embedded = await startEmbeddedPostgres({ dataDir, say: (line) => console.log(line) })
  try {
    await work(embedded.url)
  } finally {
    await embedded.stop()
  }
}

async function plan(url: string): Promise<PlannedMigration[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'sought migrations' })
  client.on('error', () => {})
  await client.connect()
  try {
    return await planMigrations(client, MIGRATIONS)
  } finally {
    await client.end()
  }
}

function describeMigration({ name, steps }: PlannedMigration): string[] {
  return [name, ...steps.map((step) => `  ${step.statement}\n    ${describeStep(step)}`)]
}

function describeStep({ table, lock, blocks, readBytes, seconds }: PlannedStep): string {
  if (!lock) return 'locks no table that is in use'
  const waits = { nobody: 'nobody waits', writes: 'writes wait', everybody: 'reads and writes wait' }[blocks]
  const takes =
    readBytes > 0 ? `, about ${seconds.toFixed(1)} s for ${(readBytes / 1e6).toFixed(1)} MB` : ', instant'
  return `${lock}${table ? ` on ${table}` : ''}: ${waits}${takes}`
}

function summarize(planned: PlannedMigration[]): string {
  if (planned.length === 0) return 'The database has all migrations.'
  const seconds = planned.flatMap(({ steps }) => steps).reduce((sum, step) => sum + step.seconds, 0)
  return options.includes('--dry-run')
    ? `${planned.length} migrations are pending, about ${Math.ceil(seconds)} s. Nothing was changed.`
    : `${planned.length} migrations applied.`
}
