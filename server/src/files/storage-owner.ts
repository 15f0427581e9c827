import { buffer } from 'node:stream/consumers'
import type { Database } from '../database/database.ts'
import { createInstallationReader } from '../database/installation.ts'
import type { FileStorage } from '../providers/files/file-storage.ts'

/*
 * A storage belongs to one database. Otherwise a server with the wrong bucket or the wrong database would treat the
 * files of another deployment as orphans (ADR 70).
 */

/** The file that contains the database's id. */
export const OWNER_FILE = 'installation'

/** Null if the storage belongs to no database yet. */
export async function readOwner(storage: FileStorage): Promise<string | null> {
  const file = await storage.open(OWNER_FILE)
  return file && (await buffer(file.stream)).toString()
}

export const writeOwner = (storage: FileStorage, id: string): Promise<void> =>
  storage.write(OWNER_FILE, Buffer.from(id))

/** Throws if the files belong to another database. The first database that asks becomes their owner. */
export async function claimStorage({ read }: Database, storage: FileStorage): Promise<void> {
  const id = await createInstallationReader(read)()
  const owner = await readOwner(storage)
  if (owner === null) await writeOwner(storage, id)
  else if (owner !== id) throw new ForeignStorage('the stored files belong to another database')
}

export class ForeignStorage extends Error {}
