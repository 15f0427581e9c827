import type { Db } from '../../platform/database.ts'
import { deleteMails } from './mail-queries.ts'
import { deleteOldest } from './queries.ts'

const DAY_MS = 86_400_000
const MAIL_DAYS = 30
const NOTIFICATION_DAYS = 365
const BATCH = 1_000

/** Forgets mails after a month, and what people were told after a year. */
export async function purgeNotifications(db: Db, now: Date): Promise<void> {
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS)
  await deleteMails(db, before(MAIL_DAYS))
  while ((await deleteOldest(db, before(NOTIFICATION_DAYS), BATCH)) === BATCH);
}
