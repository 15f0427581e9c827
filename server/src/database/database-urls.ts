import pg from 'pg'
import { BadConfig } from '../core/config.ts'
import { isDirect } from './pooler.ts'
import { CONNECTION_LIMITS } from './silent-connections.ts'

const QUERY_TIMEOUT_MS = 5_000

const POOLER_ONLY = `DATABASE_URL leads to a connection pooler, and DATABASE_DIRECT_URL is not set: live updates arrive up to a second late, and
jobs start up to a second late. Set DATABASE_DIRECT_URL to the address of PostgreSQL itself.`

const DIRECT_IS_POOLED = `DATABASE_DIRECT_URL leads to a connection pooler, not to PostgreSQL itself: live updates and jobs are up to a second late.`

/** Refuses URLs of different databases. Returns a warning if everything works, but slower than possible. */
export async function checkDatabaseUrls(url: string, directUrl: string): Promise<string | null> {
  const direct = await inspect(directUrl)
  if (directUrl === url) return direct.isPooled ? POOLER_ONLY : null
  if (direct.database !== (await inspect(url)).database)
    throw new BadConfig('DATABASE_DIRECT_URL leads to another database than DATABASE_URL')
  return direct.isPooled ? DIRECT_IS_POOLED : null
}

/** The system identifier is the same on all servers of a cluster. */
const DATABASE_SQL = `select system_identifier || '/' || current_database() as database from pg_control_system()`

async function inspect(connectionString: string) {
  const client = new pg.Client({ ...CONNECTION_LIMITS, connectionString, query_timeout: QUERY_TIMEOUT_MS })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<{ database: string }>(DATABASE_SQL)
    return { isPooled: !(await isDirect(client)), database: rows[0]?.database }
  } finally {
    await client.end()
  }
}
