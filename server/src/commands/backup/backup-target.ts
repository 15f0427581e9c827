import { hash, randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { FileStorage } from '../../providers/files/file-storage.ts'
import { BackupRefused } from './refused.ts'
import { createSeal, noSeal, SALT_BYTES } from './seal.ts'

/*
 * Where backups are kept: a folder or a bucket with
 *
 *   backups/target                       the format, and the salt if backups are encrypted
 *   backups/TIME.database.0000, …        the dump of the database, in parts
 *   backups/TIME.files.0000, …           the names, sizes and checksums of its files, in parts
 *   backups/TIME.manifest                written last: a backup without it is incomplete
 *   files/NAME                           the files of all backups, each once, since files never change
 */

/** The storages `backups` and `files` of the target. */
export interface Storages {
  backups: FileStorage
  files: FileStorage
}

export interface StoredObject {
  name: string
  sizeBytes: number
  /** The checksum of the content before encryption. */
  sha256: string
}

export interface BackupTarget {
  storages: Storages
  write(kind: keyof Storages, name: string, bytes: Uint8Array): Promise<StoredObject>
  /** Throws BackupRefused if the object is missing or damaged. */
  read(kind: keyof Storages, object: Pick<StoredObject, 'name'> & Partial<StoredObject>): Promise<Buffer>
}

const FORMAT = 1
const TARGET_FILE = 'target'

interface Description {
  format: number
  /** In base64. Null if backups are not encrypted. */
  salt: string | null
}

/** Opens a target. Either all its backups are encrypted with the same passphrase, or none is encrypted. */
export async function openTarget(
  storages: Storages,
  passphrase: string | undefined,
  { create }: { create: boolean },
): Promise<BackupTarget> {
  const { salt } = await describe(storages, passphrase, create)
  if (salt && !passphrase) throw new BackupRefused('These backups are encrypted. Set BACKUP_PASSPHRASE.')
  if (!salt && passphrase)
    throw new BackupRefused(
      'BACKUP_PASSPHRASE is set, but these backups are not encrypted. Use another target.',
    )
  const seal = salt && passphrase ? await createSeal(passphrase, Buffer.from(salt, 'base64')) : noSeal
  return {
    storages,
    async write(kind, name, bytes) {
      await storages[kind].write(name, seal.close(`${kind}/${name}`, bytes))
      return { name, sizeBytes: bytes.length, sha256: hash('sha256', bytes) }
    },
    async read(kind, { name, sizeBytes, sha256 }) {
      const found = await storages[kind].open(name)
      if (!found) throw new BackupRefused(`${kind}/${name} is missing`)
      const bytes = seal.open(`${kind}/${name}`, await buffer(found.stream))
      const isSame =
        (sizeBytes === undefined || bytes.length === sizeBytes) &&
        (sha256 === undefined || hash('sha256', bytes) === sha256)
      if (!isSame) throw new BackupRefused(`${kind}/${name} is damaged`)
      return bytes
    },
  }
}

async function describe(
  { backups }: Storages,
  passphrase: string | undefined,
  create: boolean,
): Promise<Description> {
  const found = await backups.open(TARGET_FILE)
  if (found) {
    const description: Description = JSON.parse((await buffer(found.stream)).toString())
    if (description.format !== FORMAT)
      throw new BackupRefused('A newer release made these backups. Use that release to restore them.')
    return description
  }
  if (!create) throw new BackupRefused('There is no backup.')
  const salt = passphrase ? randomBytes(SALT_BYTES).toString('base64') : null
  const description: Description = { format: FORMAT, salt }
  await backups.write(TARGET_FILE, Buffer.from(JSON.stringify(description)))
  return description
}

const PART_BYTES = 32 * 1024 * 1024

/** Writes a stream as objects of limited size, so that neither memory nor the target limits its length. */
export async function writeParts(
  target: BackupTarget,
  name: string,
  stream: AsyncIterable<Uint8Array>,
  partBytes = PART_BYTES,
): Promise<StoredObject[]> {
  const parts: StoredObject[] = []
  let chunks: Uint8Array[] = []
  let length = 0
  const flush = async () => {
    const number = String(parts.length).padStart(4, '0')
    parts.push(await target.write('backups', `${name}.${number}`, Buffer.concat(chunks)))
    chunks = []
    length = 0
  }
  for await (const chunk of stream) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= partBytes) await flush()
  }
  if (length > 0) await flush()
  return parts
}

export async function* readParts(target: BackupTarget, parts: StoredObject[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield await target.read('backups', part)
}
