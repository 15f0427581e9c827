import { and, desc, eq, gt, isNotNull, lte, ne, not, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../database/database.ts'
import { savedSearches, searchAlerts, wantedItems } from '../../../database/schema.ts'
import { areBlocked } from '../../users/blocks.ts'

interface Due {
  now: Date
  /** Only people whose last digest was sent at this time or earlier. */
  lastBefore: Date
}

/**
 * People whose digest is due. Also checks the time of the last digest, because an alert that was written while one
 * was sent can be due too early.
 */
export async function findPeopleWithDigest(
  db: Db,
  { now, lastBefore }: Due,
  limit: number,
): Promise<string[]> {
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
export async function takePendingAlerts(tx: Tx, userId: string): Promise<number> {
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

export async function setDigestTime(tx: Tx, userId: string): Promise<void> {
  await tx.update(savedSearches).set({ digestAt: tx.now }).where(eq(savedSearches.userId, userId))
}

/** The open requests of a digest, newest first. Leaves out requests of blocked people. */
export function findDigestItems(tx: Tx, userId: string, sentAt: Date, limit: number) {
  return tx
    .select({
      id: wantedItems.id,
      title: wantedItems.title,
      minBudget: wantedItems.minBudget,
      maxBudget: wantedItems.maxBudget,
      category: wantedItems.category,
      location: wantedItems.location,
    })
    .from(searchAlerts)
    .innerJoin(wantedItems, eq(wantedItems.id, searchAlerts.wantedItemId))
    .where(
      and(
        eq(searchAlerts.userId, userId),
        eq(searchAlerts.digestAt, sentAt),
        eq(wantedItems.status, 'open'),
        gt(wantedItems.expiresAt, tx.now),
        not(areBlocked(userId, wantedItems.userId)),
      ),
    )
    .orderBy(desc(wantedItems.id))
    .limit(limit)
}
