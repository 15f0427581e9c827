import { purgeLimits } from '../platform/limits.ts'
import type { Services } from '../platform/services.ts'
import { purgeSessions } from '../platform/session.ts'
import { purgeAbandonedPictures } from '../platform/stored-files.ts'

/** Removes what has run out and nobody can use any more. */
export async function tidyUp({ database, files }: Services, now: Date): Promise<void> {
  await purgeSessions(database.read, now)
  await purgeLimits(database.pool, now)
  await purgeAbandonedPictures(database, files, now)
}
