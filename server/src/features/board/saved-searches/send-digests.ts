import { and, eq, isNotNull, lte, ne, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../database/database.ts'
import { savedSearches, searchAlerts } from '../../../database/schema.ts'
import type { Services } from '../../../services.ts'
import { areActive } from '../../identity/accounts/active-users.ts'
import { notify } from '../../notifications/actions.ts'
import { areBlocked } from '../../users/blocks.ts'
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

interface Due {
  now: Date
  /** Only people whose last digest was sent at this time or earlier. */
  lastBefore: Date
}

/**
 * People whose digest is due. Also checks the time of the last digest, because an alert that is added while a
 * digest is being sent can be due too early.
 */
async function findPeopleWithDigest(db: Db, { now, lastBefore }: Due, limit: number): Promise<string[]> {
  const found = await db
    .selectDistinct({ userId: searchAlerts.userId })
    .from(searchAlerts)
    .innerJoin(savedSearches, eq(savedSearches.id, searchAlerts.savedSearchId))
    .where(
      and(
        isNotNull(searchAlerts.dueAt),
        lte(searchAlerts.dueAt, now),
        sql`coalesce(${savedSearches.digestAt}, ${savedSearches.createdAt}) <= ${lastBefore.toISOString()}::timestamptz`,
        ne(savedSearches.alerts, 'off'),
      ),
    )
    .limit(limit)
  return found.map(({ userId }) => userId)
}

/**
 * Moves all pending alerts of a person into a digest. Returns the number of requests that are still open and not by
 * blocked people. A second process waits for the rows and then finds none.
 */
async function takePendingAlerts(tx: Tx, userId: string): Promise<number> {
  const now = sql`${tx.now.toISOString()}::timestamptz`
  const isShown = sql`item.status = 'open' and item.expires_at > ${now} and not ${areBlocked(userId, sql`item.user_id`)}`
  const { rows } = await tx.execute<{ is_shown: boolean }>(sql`
    update search_alerts alert
    set due_at = null, digest_at = case when ${isShown} then ${now} end
    from saved_searches search, wanted_items item
    where alert.user_id = ${userId} and alert.due_at is not null and search.id = alert.saved_search_id
      and search.alerts <> 'off' and item.id = alert.wanted_item_id
    returning ${isShown} as is_shown`)
  return rows.filter(({ is_shown }) => is_shown).length
}

async function setDigestTime(tx: Tx, userId: string): Promise<void> {
  await tx.update(savedSearches).set({ digestAt: tx.now }).where(eq(savedSearches.userId, userId))
}
