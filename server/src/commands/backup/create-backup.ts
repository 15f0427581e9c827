import { buffer } from 'node:stream/consumers'
import pg from 'pg'
import { readVersion } from '../../core/installed-release.ts'
import { CONNECTION_LIMITS } from '../../database/silent-connections.ts'
import { isFileName } from '../../files/files.ts'
import type { FileStorage } from '../../providers/files/file-storage.ts'
import { type BackupTarget, type StoredObject, writeParts } from './backup-target.ts'
import {
  listBackups,
  type Manifest,
  nameAt,
  readFileList,
  readManifest,
  writeFileList,
  writeManifest,
} from './manifest.ts'
import { dump, findProgram } from './postgres-tools.ts'
import { BackupRefused } from './refused.ts'

export interface Source {
  databaseUrl: string
  files: FileStorage
  /** The folders with programs, in the format of PATH. */
  path: string
}

type Copied = Map<string, StoredObject>

const SNAPSHOT_ATTEMPTS = 10
const CONCURRENT_FILES = 8

/**
 * Backs up database and files while the market is open. Copies all files, takes a snapshot of the database,
 * copies the files that were added in the meantime, and dumps the snapshot. So the backup contains every file
 * that the dump refers to.
 */
export async function createBackup(
  source: Source,
  target: BackupTarget,
  now: Date,
): Promise<{ name: string; manifest: Manifest }> {
  const name = nameAt(now)
  const copied: Copied = new Map()
  const known = await findKnownFiles(target)
  const copyNewFiles = () => copyFiles(source.files, target, copied, known)
  await copyNewFiles()
  const client = new pg.Client({
    ...CONNECTION_LIMITS,
    connectionString: source.databaseUrl,
    application_name: 'sought backup',
  })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query('select current_setting($1)::int / 10000 as major, version()', [
      'server_version_num',
    ])
    const program = await findProgram('pg_dump', rows[0].major, source.path)
    const snapshot = await takeSnapshot(client, copied, copyNewFiles)
    let database: StoredObject[] = []
    await dump(program, source.databaseUrl, snapshot.id, async (stream) => {
      database = await writeParts(target, `${name}.database`, stream)
    })
    await client.query('commit')
    const listed = [...copied.values()]
    const manifest: Manifest = {
      version: await readVersion(),
      createdAt: now.toISOString(),
      installation: snapshot.installation,
      migration: snapshot.migration,
      postgres: rows[0].version,
      database,
      files: await writeFileList(target, name, listed),
      fileCount: listed.length,
      fileBytes: listed.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    }
    await writeManifest(target, name, manifest)
    await recordBackup(client, name)
    return { name, manifest }
  } finally {
    await client.end()
  }
}

/** For the metrics. The database of an earlier release has no such table yet. */
async function recordBackup(client: pg.Client, name: string): Promise<void> {
  const { rows } = await client.query("select to_regclass('backups') is not null as exists")
  if (rows[0].exists) await client.query('insert into backups (name) values ($1)', [name])
}

/**
 * Copies the files that were not copied yet. Files never change, so those of the last backup are not read again.
 */
async function copyFiles(
  files: FileStorage,
  target: BackupTarget,
  copied: Copied,
  known: Copied,
): Promise<void> {
  const listed = files.list()[Symbol.asyncIterator]()
  const work = async () => {
    for (let next = await listed.next(); !next.done; next = await listed.next()) {
      const { name, sizeBytes } = next.value
      if (!isFileName(name) || copied.has(name)) continue
      const before = known.get(name)
      const object = before?.sizeBytes === sizeBytes ? before : await copyFile(files, target, name)
      if (object) copied.set(name, object)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT_FILES }, work))
}

/** Null if the file was removed since it was listed. */
async function copyFile(
  files: FileStorage,
  target: BackupTarget,
  name: string,
): Promise<StoredObject | null> {
  const file = await files.open(name)
  if (!file) return null
  const bytes = await buffer(file.stream)
  if (bytes.length !== file.sizeBytes) throw new BackupRefused(`${name} could not be read completely.`)
  return target.write('files', name, bytes)
}

/** The files of the last backup that the target still has. */
async function findKnownFiles(target: BackupTarget): Promise<Copied> {
  const last = (await listBackups(target)).at(-1)
  if (!last) return new Map()
  const present = new Set<string>()
  for await (const { name } of target.storages.files.list()) present.add(name)
  const known: Copied = new Map()
  for await (const object of readFileList(target, await readManifest(target, last)))
    if (present.has(object.name)) known.set(object.name, object)
  return known
}

interface Snapshot {
  id: string
  installation: string
  migration: number
}

/**
 * Exports a snapshot whose files are all copied. If a file was removed before it was copied, takes a later
 * snapshot.
 */
async function takeSnapshot(
  client: pg.Client,
  copied: Copied,
  copyNewFiles: () => Promise<void>,
): Promise<Snapshot> {
  for (let attempt = 1; attempt <= SNAPSHOT_ATTEMPTS; attempt++) {
    await client.query('begin isolation level repeatable read read only')
    const { rows } = await client.query<Snapshot>(`
      select pg_export_snapshot() as id, (select id from installation) as installation,
        (select max(created_at)::float8 from drizzle.__drizzle_migrations) as migration`)
    await copyNewFiles()
    const { rows: named } = await client.query<{ id: string }>('select id from files where infection is null')
    if (rows[0] && named.every(({ id }) => copied.has(id))) return rows[0]
    await client.query('rollback')
  }
  throw new BackupRefused('Files that the database names are missing. Run npm run files:check.')
}
