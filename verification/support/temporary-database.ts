import { randomUUID } from 'node:crypto'
import { migrate } from '@sought/server/database/migrate'
import pg from 'pg'

interface TemporaryDatabase {
  url: string
  drop(): Promise<void>
}

/** Creates a migrated database. */
export async function createTemporaryDatabase(postgresUrl: string): Promise<TemporaryDatabase> {
  const database = await createEmptyDatabase(postgresUrl)
  try {
    await migrate(database.url)
  } catch (error) {
    await database.drop()
    throw error
  }
  return database
}

async function createEmptyDatabase(postgresUrl: string): Promise<TemporaryDatabase> {
  const [url, admin] = [new URL(postgresUrl), new URL(postgresUrl)]
  const name = `verification_${randomUUID().replaceAll('-', '')}`
  url.pathname = `/${name}`
  // Not the database that tests copy: PostgreSQL does not copy a database with open connections.
  admin.pathname = '/template1'
  await execute(admin.href, `create database ${name} template template0`)
  // Processes that were killed may not have closed their connections yet.
  return { url: url.href, drop: () => execute(admin.href, `drop database ${name} with (force)`) }
}

/** Runs `work` with a database without tables and drops the database afterwards. */
export async function withEmptyDatabase<Result>(
  postgresUrl: string,
  work: (databaseUrl: string) => Promise<Result>,
): Promise<Result> {
  const { url, drop } = await createEmptyDatabase(postgresUrl)
  return work(url).finally(drop)
}

/** Runs `work` with a migrated database of its own and drops the database afterwards. */
export async function withTemporaryDatabase<Result>(
  postgresUrl: string,
  work: (databaseUrl: string) => Promise<Result>,
): Promise<Result> {
  const { url, drop } = await createTemporaryDatabase(postgresUrl)
  return work(url).finally(drop)
}

/**
 * A pool for checks. Errors of its idle connections are ignored: `end` does not wait until they are closed, so
 * dropping the database may still break them.
 */
export function openPool(databaseUrl: string, max?: number): pg.Pool {
  const pool = new pg.Pool({ connectionString: databaseUrl, ...(max !== undefined && { max }) })
  pool.on('error', () => {})
  return pool
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}
