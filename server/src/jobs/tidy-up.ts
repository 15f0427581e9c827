import type { Database } from '../platform/database.ts'
import { purgeLimits } from '../platform/limits.ts'
import { purgeSessions } from '../platform/session.ts'

/** Removes what has run out and nobody can use any more. */
export async function tidyUp({ read, pool }: Database, now: Date): Promise<void> {
  await purgeSessions(read, now)
  await purgeLimits(pool, now)
}
