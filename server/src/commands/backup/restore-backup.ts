import pg from 'pg'
import { readMigrations } from '../../database/apply-migrations.ts'
import { MIGRATIONS } from '../../database/migrate.ts'
import { CONNECTION_LIMITS } from '../../database/silent-connections.ts'
import { readOwner, writeOwner } from '../../files/storage-owner.ts'
import type { FileStorage } from '../../providers/files/file-storage.ts'
import { type BackupTarget, readParts } from './backup-target.ts'
import type { Source } from './create-backup.ts'
import { listBackups, type Manifest, readFileList, readManifest } from './manifest.ts'
import { findProgram, restoreDump } from './postgres-tools.ts'
import { BackupRefused } from './refused.ts'

const CONCURRENT_FILES = 8

/**
 * Restores a backup, by default the newest, into an empty database. The database comes last and in one transaction, so
 * that an interrupted restore can be repeated.
 */
export async function restoreBackup(
  { databaseUrl, files, path }: Source,
  target: BackupTarget,
  wanted?: string,
): Promise<{ name: string; manifest: Manifest }> {
  const name = await chooseBackup(target, wanted)
  const manifest = await readManifest(target, name)
  const migrations = await readMigrations(MIGRATIONS)
  if (!migrations.some(({ number }) => number >= manifest.migration))
    throw new BackupRefused(`Release ${manifest.version} made this backup. Use that release or a later one.`)
  const program = await findProgram('pg_restore', await inspectDatabase(databaseUrl), path)
  await restoreFiles(target, manifest, files)
  await restoreDump(program, databaseUrl, readParts(target, manifest.database))
  return { name, manifest }
}

async function chooseBackup(target: BackupTarget, wanted: string | undefined): Promise<string> {
  const names = await listBackups(target)
  const name = wanted ? names.find((it) => it === wanted) : names.at(-1)
  if (name) return name
  throw new BackupRefused(
    wanted ? `There is no backup ${wanted}. There are: ${names.join(', ')}` : 'There is no complete backup.',
  )
}

/** Refuses a database that is not empty. Returns the major version of PostgreSQL. */
async function inspectDatabase(databaseUrl: string): Promise<number> {
  const client = new pg.Client({
    ...CONNECTION_LIMITS,
    connectionString: databaseUrl,
    application_name: 'sought restore',
  })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query(`
      select current_setting('server_version_num')::int / 10000 as major, (
        select count(*)::int from pg_class join pg_namespace n on n.oid = relnamespace
        where nspname !~ '^(pg_|information_schema$)'
      ) as relations`)
    if (rows[0].relations > 0)
      throw new BackupRefused('The database is not empty. A backup is restored into an empty database only.')
    return rows[0].major
  } finally {
    await client.end()
  }
}

async function restoreFiles(target: BackupTarget, manifest: Manifest, files: FileStorage): Promise<void> {
  await claimStorage(files, manifest.installation)
  const listed = readFileList(target, manifest)
  const work = async () => {
    for (let next = await listed.next(); !next.done; next = await listed.next())
      await files.write(next.value.name, await target.read('files', next.value))
  }
  await Promise.all(Array.from({ length: CONCURRENT_FILES }, work))
}

/** Refuses a file storage of another deployment, because their files must not be mixed. */
async function claimStorage(files: FileStorage, installation: string): Promise<void> {
  const owner = await readOwner(files)
  if (owner === null) await writeOwner(files, installation)
  else if (owner !== installation)
    throw new BackupRefused('The file storage has the files of another deployment. Use an empty one.')
}
