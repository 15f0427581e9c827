import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ensureProgram } from './debian-packages.ts'

const POSTGRES_FOLDER = '/usr/lib/postgresql'

/** The folder with the programs of Debian's newest PostgreSQL. */
export async function findPostgres(): Promise<string> {
  const newest = () =>
    (existsSync(POSTGRES_FOLDER) ? readdirSync(POSTGRES_FOLDER) : [])
      .toSorted((one, other) => Number(other) - Number(one))
      .map((version) => join(POSTGRES_FOLDER, version, 'bin'))
      .find((bin) => existsSync(join(bin, 'pg_rewind')))
  const known = newest()
  if (known) return known
  await ensureProgram('pg_createcluster', 'postgresql')
  const installed = newest()
  if (!installed) throw new Error('PostgreSQL is missing and could not be installed. Install postgresql.')
  return installed
}
