import type { Db } from '../../platform/database.ts'
import { deleteEmailsBefore } from './email-queries.ts'
import { deleteOldestNotifications } from './queries.ts'

const DAY_MS = 86_400_000
const EMAIL_DAYS = 30
const NOTIFICATION_DAYS = 365
const BATCH = 1_000

export async function purgeNotifications(db: Db, now: Date): Promise<void> {
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS)
  await deleteEmailsBefore(db, before(EMAIL_DAYS))
  while ((await deleteOldestNotifications(db, before(NOTIFICATION_DAYS), BATCH)) === BATCH);
}
