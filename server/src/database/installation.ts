import type { Db } from './database.ts'
import { installation } from './schema.ts'

/** Returns a function that reads the id of this database, once (ADR 39). */
export function createInstallationReader(db: Db): () => Promise<string> {
  let known: string | undefined
  return async () => {
    known ??= (await db.select().from(installation))[0]?.id
    if (!known) throw new Error('the database has no installation id')
    return known
  }
}
