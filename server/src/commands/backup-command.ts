import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { BadConfig, type Config, readConfig } from '../core/config.ts'
import type { S3Settings } from '../core/s3-settings.ts'
import { startEmbeddedPostgres } from '../database/embedded-postgres/embedded-postgres.ts'
import { StorageRefused, StorageUnavailable } from '../providers/files/file-storage.ts'
import { createFolderStorage } from '../providers/files/folder-storage.ts'
import { openBucket, openStorage } from '../providers/files/open-storage.ts'
import type { BackupTarget } from './backup/backup-target.ts'
import { openTarget, type Storages } from './backup/backup-target.ts'
import type { Source } from './backup/create-backup.ts'
import type { Manifest } from './backup/manifest.ts'
import { BackupRefused } from './backup/refused.ts'

/* The common part of `npm run backup` and `npm run restore`. */

type Environment = Record<string, string | undefined>

interface Command {
  usage: string
  /** Whether to create a target that has no backup yet. */
  create: boolean
  /** The command's options that take a value. */
  options: string[]
  run(source: Source, target: BackupTarget, options: Record<string, string | undefined>): Promise<string[]>
}

/** Runs the command and returns the exit code. */
export async function runBackupCommand(
  args: string[],
  environment: Environment,
  { usage, create, options, run }: Command,
): Promise<number> {
  try {
    const { values, positionals } = readArguments(args, options)
    const [address, ...others] = positionals
    if (!address || others.length > 0) throw new TypeError()
    const config = readConfig(ofDeployment(environment))
    const storages = await openStorages(address, readS3(address, environment))
    const target = await openTarget(storages, config.backupPassphrase, { create })
    const lines = await withSource(config, environment.PATH ?? '', (source) => run(source, target, values))
    for (const line of lines) console.log(line)
    return 0
  } catch (error) {
    if (error instanceof TypeError) {
      console.error(`Usage: ${usage}`)
      return 2
    }
    const isExpected = [BadConfig, BackupRefused, StorageRefused, StorageUnavailable].some(
      (kind) => error instanceof kind,
    )
    if (!(isExpected && error instanceof Error)) throw error
    console.error(error.message)
    return 1
  }
}

/** Leaves out S3 settings if the deployment has no bucket. They belong to the backup target then. */
function ofDeployment(environment: Environment): Environment {
  if (environment.S3_BUCKET) return environment
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('S3_')))
}

function readArguments(args: string[], options: string[]) {
  const described = Object.fromEntries(options.map((name) => [name, { type: 'string' as const }]))
  return parseArgs({ args, allowPositionals: true, options: described })
}

const S3_ADDRESS = /^s3:\/\/([^/]+)\/?(.*?)\/?$/

/** A target in S3 uses the deployment's S3 settings, also if the deployment has no bucket. */
function readS3(address: string, environment: Environment): S3Settings | undefined {
  const [, bucket] = address.match(S3_ADDRESS) ?? []
  return bucket ? readConfig({ ...environment, S3_BUCKET: bucket }).s3 : undefined
}

/** Only the bucket comes from the target's address. */
export async function openStorages(address: string, settings: S3Settings | undefined): Promise<Storages> {
  const [, bucket, prefix = ''] = address.match(S3_ADDRESS) ?? []
  if (!bucket) {
    if (/^\w+:\/\//.test(address)) throw new BackupRefused('The target is a folder or s3://BUCKET/PREFIX.')
    const open = (folder: string) => createFolderStorage(resolve(address, folder))
    return { backups: open('backups'), files: open('files') }
  }
  // Without a prefix, backups would mix with the files of a deployment in the same bucket.
  if (!prefix) throw new BackupRefused('The target needs a prefix, such as s3://BUCKET/backups.')
  if (!settings) throw new BackupRefused('S3_REGION, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are not set.')
  const s3 = { ...settings, bucket }
  const open = (folder: string) => openBucket(s3, `${prefix}/${folder}/`)
  const storages = { backups: await open('backups'), files: await open('files') }
  await storages.backups.check()
  return storages
}

/** Does not migrate, unlike other commands, because a backup is restored into a database without tables. */
async function withSource<Result>(
  config: Config,
  path: string,
  work: (source: Source) => Promise<Result>,
): Promise<Result> {
  const embedded = config.databaseUrl
    ? null
    : await startEmbeddedPostgres({ dataDir: config.dataDir, say: (line) => console.log(line) })
  const databaseUrl = config.databaseDirectUrl ?? config.databaseUrl ?? embedded?.url ?? ''
  try {
    return await work({ databaseUrl, files: await openStorage(config), path })
  } finally {
    await embedded?.stop()
  }
}

export function describeBackup(name: string, { database, fileCount, fileBytes }: Manifest): string {
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
  const dumpBytes = database.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  return `${name}: the database (${megabytes(dumpBytes)}) and ${fileCount} files (${megabytes(fileBytes)})`
}
