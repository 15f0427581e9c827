import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import * as z from 'zod/mini'
import { type BackupTarget, readParts, type StoredObject as Stored, writeParts } from './backup-target.ts'
import { BackupRefused } from './refused.ts'

const StoredObject = z.object({ name: z.string(), sizeBytes: z.int(), sha256: z.string() })

const Manifest = z.object({
  /** The release that created the backup. */
  version: z.string(),
  createdAt: z.iso.datetime(),
  installation: z.string(),
  /** The number of the last migration. */
  migration: z.int(),
  postgres: z.string(),
  database: z.array(StoredObject),
  files: z.array(StoredObject),
  fileCount: z.int(),
  fileBytes: z.int(),
})
export type Manifest = z.output<typeof Manifest>

const MANIFEST = '.manifest'

/** The name of a backup is its time, so that names sort by time. */
export const nameAt = (now: Date): string =>
  now
    .toISOString()
    .replaceAll(':', '-')
    .replace(/\.\d+Z$/, 'Z')

export async function writeManifest(target: BackupTarget, name: string, manifest: Manifest): Promise<void> {
  await target.write('backups', name + MANIFEST, Buffer.from(JSON.stringify(manifest, null, 2)))
}

/** Complete backups, oldest first. */
export async function listBackups({ storages }: BackupTarget): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of storages.backups.list())
    if (name.endsWith(MANIFEST)) names.push(name.slice(0, -MANIFEST.length))
  return names.sort()
}

/** When the last complete backup began. */
export async function findLastBackup(target: BackupTarget): Promise<Date | null> {
  const last = (await listBackups(target)).at(-1)
  return last ? new Date(last.replace(/T(\d\d)-(\d\d)-/, 'T$1:$2:')) : null
}

export async function readManifest(target: BackupTarget, name: string): Promise<Manifest> {
  const bytes = await target.read('backups', { name: name + MANIFEST })
  const { success, data } = Manifest.safeParse(JSON.parse(bytes.toString()))
  if (!success) throw new BackupRefused(`The manifest of ${name} cannot be read.`)
  return data
}

/** Writes one line for each file, so that the list can be read line by line. There may be millions of files. */
export function writeFileList(target: BackupTarget, name: string, files: Stored[]): Promise<Stored[]> {
  const lines = Readable.from(files.map((file) => Buffer.from(`${JSON.stringify(file)}\n`)))
  return writeParts(target, `${name}.files`, lines)
}

export async function* readFileList(target: BackupTarget, { files }: Manifest): AsyncGenerator<Stored> {
  const lines = createInterface({ input: Readable.from(readParts(target, files)) })
  for await (const line of lines) yield StoredObject.parse(JSON.parse(line))
}
