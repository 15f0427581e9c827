import type { Tx } from '../../../database/database.ts'
import type { Services } from '../../../services.ts'
import { areActive } from '../../identity/accounts/active-users.ts'
import { notify } from '../../notifications/actions.ts'
import { findPeopleWithDigest, setDigestTime, takePendingAlerts } from './digest-queries.ts'
import { searchDigest } from './notifications.ts'

const DAY_MS = 86_400_000
const BATCH = 200

/** Sends due digests: at most one a day for each person, and none without a new request (ADR 64). */
export async function sendDigests(
  { database, clock }: Pick<Services, 'database' | 'clock'>,
  signal?: AbortSignal,
): Promise<void> {
  while (!signal?.aborted) {
    const now = clock()
    const due = { now, lastBefore: new Date(now.getTime() - DAY_MS) }
    const people = await findPeopleWithDigest(database.read, due, BATCH)
    for (const userId of people) await database.transact((tx) => sendDigest(tx, userId))
    if (people.length < BATCH) return
  }
}

/** Locks the user first, like account deletion. */
async function sendDigest(tx: Tx, userId: string): Promise<void> {
  if (!(await areActive(tx, [userId]))) return
  if ((await takePendingAlerts(tx, userId)) === 0) return
  await setDigestTime(tx, userId)
  await notify(tx, searchDigest(userId, tx.now))
}
