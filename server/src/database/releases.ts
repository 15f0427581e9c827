import type pg from 'pg'
import { DatabaseRefused } from './apply-migrations.ts'

/*
 * Every version records that it has migrated the database. A version runs on the schema of the next one, so that it can
 * be rolled back, but on no later schema (ADR 76).
 */

/** Throws DatabaseRefused if the database has the schema of a later version than the next one. */
export async function refuseLaterSchema(client: pg.Client, version: string): Promise<void> {
  const [next, ...later] = (await findReleases(client)).filter((other) => compareVersions(other, version) > 0)
  const last = later.at(-1)
  if (last)
    throw new DatabaseRefused(
      `The database has the schema of version ${last}, and this is version ${version}, which runs only on its own schema and on that of version ${next}. Start version ${last}, or restore a backup from before it.`,
    )
}

/** Called when all migrations of this version are applied. */
export async function recordRelease(client: pg.Client, version: string): Promise<void> {
  await client.query(
    `insert into releases (version) values ($1)
     on conflict do nothing`,
    [version],
  )
}

/** Oldest first. */
async function findReleases(client: pg.Client): Promise<string[]> {
  const { rows: found } = await client.query("select to_regclass('releases') is not null as exists")
  if (!found[0].exists) return []
  const { rows } = await client.query<{ version: string }>('select version from releases')
  return rows.map(({ version }) => version).toSorted(compareVersions)
}

const compareVersions = (one: string, two: string) => one.localeCompare(two, 'en', { numeric: true })
