import type pg from 'pg'
import { openTarget, readParts } from '../commands/backup/backup-target.ts'
import { findLastBackup, listBackups, readFileList, readManifest } from '../commands/backup/manifest.ts'
import { findProgram, listDump } from '../commands/backup/postgres-tools.ts'
import { BackupRefused } from '../commands/backup/refused.ts'
import { openStorages } from '../commands/backup-command.ts'
import type { Config } from '../core/config.ts'
import { type Check, type Finding, fail, ok, type Patient, warn } from './check.ts'

/* The newest backup of `npm run backup`: its age, and whether it could be restored. */

const HOUR_MS = 3_600_000
const OLD_HOURS = 26
const TOO_OLD_HOURS = 72

const backupAge: Check = async (patient) => {
  const last = await findLast(patient)
  if (last === 'unknown')
    return patient.config.production
      ? warn('No backup is known. Set BACKUP_TARGET to where npm run backup writes.')
      : null
  if (!last) return fail('There is no complete backup. Run npm run backup every night.')
  const hours = Math.floor((patient.now().getTime() - last.getTime()) / HOUR_MS)
  const message = `The last backup is ${hours} hours old.`
  if (hours >= TOO_OLD_HOURS) return fail(message)
  return hours >= OLD_HOURS ? warn(message) : ok(message)
}

async function findLast(patient: Patient): Promise<Date | null | 'unknown'> {
  const { config, database } = patient
  const target = await openBackups(config)
  if (target) return findLastBackup(target)
  return database ? findRecorded(database) : 'unknown'
}

/** Null without BACKUP_TARGET. */
async function openBackups({ backupTarget, backupPassphrase, s3 }: Config) {
  if (!backupTarget) return null
  return openTarget(await openStorages(backupTarget, s3), backupPassphrase, { create: false })
}

/** Each backup is recorded in the database, if this version does so. */
async function findRecorded(database: pg.Pool): Promise<Date | 'unknown'> {
  const { rows: known } = await database.query("select to_regclass('backups') is not null as exists")
  if (!known[0].exists) return 'unknown'
  const { rows } = await database.query<{ last: Date | null }>('select max(finished_at) as last from backups')
  return rows[0]?.last ?? 'unknown'
}

/** Reads everything that a restore would read first: the manifest, the list of files and the catalogue of the dump. */
const backupCatalogue: Check = async ({ config, path }) => {
  try {
    const target = await openBackups(config)
    if (!target) return null
    const name = (await listBackups(target)).at(-1)
    if (!name) return null
    const manifest = await readManifest(target, name)
    let fileCount = 0
    for await (const _ of readFileList(target, manifest)) fileCount++
    if (fileCount !== manifest.fileCount) return fail(`The list of files of ${name} is incomplete.`)
    const major = Number.parseInt(manifest.postgres.replace(/^PostgreSQL /, ''), 10)
    return await readCatalogue(name, major, path, readParts(target, manifest.database))
  } catch (error) {
    if (error instanceof BackupRefused) return fail(error.message)
    throw error
  }
}

async function readCatalogue(
  name: string,
  major: number,
  path: string,
  dump: AsyncIterable<Uint8Array>,
): Promise<Finding> {
  const program = await findProgram('pg_restore', major, path).catch(() => null)
  if (!program)
    return warn(`pg_restore of PostgreSQL ${major} or later is not installed, so ${name} was not tried.`)
  const entries = await listDump(program, dump)
  return entries.some((entry) => / TABLE DATA public payments /.test(entry))
    ? ok(`${name} can be read: its catalogue has ${entries.length} entries.`)
    : fail(`The catalogue of ${name} lacks the payments.`)
}

export const backupChecks: Record<string, Check> = {
  'backup-age': backupAge,
  'backup-catalogue': backupCatalogue,
}
