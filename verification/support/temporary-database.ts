import { randomUUID } from 'node:crypto'
import { migrate } from '@sought/server/platform/migrate'
import pg from 'pg'

/** Does something with a migrated database of its own, which is gone afterwards. */
export async function withDatabase<Result>(
  postgresUrl: string,
  work: (databaseUrl: string) => Promise<Result>,
): Promise<Result> {
  const [url, admin] = [new URL(postgresUrl), new URL(postgresUrl)]
  const name = `model_${randomUUID().replaceAll('-', '')}`
  url.pathname = `/${name}`
  // Not the one that other tests copy: PostgreSQL copies no database that somebody is connected to.
  admin.pathname = '/template1'
  await once(admin.href, `create database ${name} template template0`)
  try {
    await migrate(url.href)
    return await work(url.href)
  } finally {
    // Whoever was killed, or played dead, may not have hung up yet.
    await once(admin.href, `drop database ${name} with (force)`)
  }
}

async function once(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}
