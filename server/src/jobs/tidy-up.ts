import { Logger, makeWorkerUtils } from 'graphile-worker'
import type pg from 'pg'
import { purgeExpired } from '../database/retention.ts'
import { purgeAbandonedFiles } from '../files/stored-files.ts'
import type { Services } from '../services.ts'

/** Deletes expired data. */
export async function tidyUp({ database, files }: Services, now: Date): Promise<void> {
  await purgeExpired(database.read, now)
  await purgeAbandonedFiles(database, files, now)
  await purgeDeadJobs(database.pool)
}

/** Deletes jobs that failed permanently or were replaced. The sweeps enqueue unfinished work again. */
async function purgeDeadJobs(pool: pg.Pool): Promise<void> {
  const utils = await makeWorkerUtils({ pgPool: pool, logger: new Logger(() => () => {}) })
  try {
    await utils.cleanup({ tasks: ['DELETE_PERMAFAILED_JOBS'] })
  } finally {
    await utils.release()
  }
}
