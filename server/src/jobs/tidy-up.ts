import { Logger, makeWorkerUtils } from 'graphile-worker'
import type pg from 'pg'
import { purgeNotifications } from '../features/notifications/purge-notifications.ts'
import { purgeLimits } from '../platform/limits.ts'
import { purgeExpiredTokens } from '../platform/link-tokens.ts'
import type { Services } from '../platform/services.ts'
import { purgeSessions } from '../platform/session.ts'
import { purgeAbandonedFiles } from '../platform/stored-files.ts'

/** Removes what has run out and nobody can use any more. */
export async function tidyUp({ database, files }: Services, now: Date): Promise<void> {
  await purgeSessions(database.read, now)
  await purgeLimits(database.pool, now)
  await purgeAbandonedFiles(database, files, now)
  await purgeNotifications(database.read, now)
  await purgeExpiredTokens(database.read, now)
  await purgeDeadJobs(database.pool)
}

/** Jobs that were given up, or that others took the place of. What still has to be done the sweeps begin anew. */
async function purgeDeadJobs(pool: pg.Pool): Promise<void> {
  const utils = await makeWorkerUtils({ pgPool: pool, logger: new Logger(() => () => {}) })
  try {
    await utils.cleanup({ tasks: ['DELETE_PERMAFAILED_JOBS'] })
  } finally {
    await utils.release()
  }
}
