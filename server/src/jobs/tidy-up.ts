import { Logger, makeWorkerUtils } from 'graphile-worker'
import type pg from 'pg'
import { purgeNotifications } from '../features/notifications/purge-notifications.ts'
import { deleteExpiredChallenges } from '../features/second-factors/actions.ts'
import { purgeTickets } from '../features/support/actions.ts'
import { purgeEmailChanges } from '../platform/email-changes.ts'
import { purgeDevices } from '../platform/known-devices.ts'
import { purgeLimits } from '../platform/limits.ts'
import { purgeExpiredTokens } from '../platform/link-tokens.ts'
import type { Services } from '../platform/services.ts'
import { purgeSessions } from '../platform/session.ts'
import { purgeAnnouncements } from '../platform/stored-announcements.ts'
import { purgeAbandonedFiles } from '../platform/stored-files.ts'

/** Deletes expired data. */
export async function tidyUp({ database, files }: Services, now: Date): Promise<void> {
  await purgeSessions(database.read, now)
  await purgeAnnouncements(database.read)
  await purgeLimits(database.pool, now)
  await purgeAbandonedFiles(database, files, now)
  await purgeNotifications(database.read, now)
  await purgeExpiredTokens(database.read, now)
  await deleteExpiredChallenges(database.read, now)
  await purgeEmailChanges(database.read, now)
  await purgeDevices(database.read, now)
  await purgeTickets(database.read, now)
  await purgeDeadJobs(database.pool)
}

/** Deletes jobs that failed for good or were replaced. The sweeps enqueue unfinished work again. */
async function purgeDeadJobs(pool: pg.Pool): Promise<void> {
  const utils = await makeWorkerUtils({ pgPool: pool, logger: new Logger(() => () => {}) })
  try {
    await utils.cleanup({ tasks: ['DELETE_PERMAFAILED_JOBS'] })
  } finally {
    await utils.release()
  }
}
