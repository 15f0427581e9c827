import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { BadConfig, type Config, readConfig } from '../core/config.ts'
import { isReleaseArchive } from '../core/installed-release.ts'
import { startEmbeddedPostgres } from '../database/embedded-postgres/embedded-postgres.ts'
import { OWNER_FILE } from '../files/storage-owner.ts'
import { openStorage } from '../providers/files/open-storage.ts'

/*
 * npm run db:reset: drops all data of the embedded database. The next start migrates and seeds it again.
 * npm run db:reset -- NAME: drops all data of the database of DATABASE_URL, which must have this name. Asks for the name
 * again; scripts repeat it with --confirm NAME. Neither works in production, nor in a release.
 */

const USAGE = `Usage: npm run db:reset                              the embedded database
       npm run db:reset -- NAME [--confirm NAME]     the database of DATABASE_URL, by its name`

class ResetRefused extends Error {}

async function resetDatabase(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { confirm: { type: 'string' } },
  })
  const config = readConfig()
  if (config.production) throw new ResetRefused('db:reset is disabled in production')
  if (isReleaseArchive())
    throw new ResetRefused('db:reset is disabled in a release: create an empty database instead')
  if (positionals.length > 1) throw new ResetRefused(USAGE)
  if (config.databaseUrl) await requireName(config.databaseUrl, positionals[0], values.confirm)
  else if (positionals[0])
    throw new ResetRefused('DATABASE_URL is not set: run npm run db:reset without a name')
  await withUrl(config, dropAll)
  // Otherwise the files of the deleted database would never be removed as orphans, because the storage would still
  // belong to it.
  await (await openStorage(config)).remove(OWNER_FILE)
  console.log('The database is empty. Run npm start to fill it again.')
}

async function requireName(
  url: string,
  named: string | undefined,
  confirmed: string | undefined,
): Promise<void> {
  const name = await withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string }>('select current_database() as name')
    return rows[0]?.name ?? ''
  })
  if (named === undefined)
    throw new ResetRefused(
      `DATABASE_URL is set. To delete everything in its database, name it: npm run db:reset -- ${name}`,
    )
  if (named !== name)
    throw new ResetRefused(`The database of DATABASE_URL is ${name}, not ${named}. Nothing was deleted.`)
  const given = confirmed ?? (await ask(`This deletes everything in ${name}. Type its name to go on: `))
  if (given.trim() !== name) throw new ResetRefused('The name is another one. Nothing was deleted.')
}

/** An empty answer if the input ends. */
async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const ended = new Promise<string>((resolve) => terminal.once('close', () => resolve('')))
  try {
    return await Promise.race([terminal.question(question), ended])
  } finally {
    terminal.close()
  }
}

async function withUrl(config: Config, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const url = config.databaseDirectUrl ?? config.databaseUrl
  if (url) return withClient(url, work)
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, say: (line) => console.log(line) })
  try {
    await withClient(embedded.url, work)
  } finally {
    await embedded.stop()
  }
}

async function withClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url, application_name: 'sought db:reset' })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function dropAll(client: pg.Client): Promise<void> {
  await client.query('drop schema if exists public, drizzle, graphile_worker, sandbox cascade')
  await client.query('create schema public')
}

try {
  await resetDatabase()
} catch (error) {
  if (!(error instanceof ResetRefused || error instanceof BadConfig || error instanceof TypeError))
    throw error
  console.error(error instanceof TypeError ? USAGE : error.message)
  process.exitCode = 2
}
