import { formatBudget } from '@sought/contract/money'
import { paths } from '@sought/contract/paths'
import { itemStatusAt } from '@sought/escrow/reservation'
import { and, desc, eq, gt, inArray, not } from 'drizzle-orm'
import { removeDirectionMarks } from '../../../core/direction-marks.ts'
import type { Db, Tx } from '../../../database/database.ts'
import { columns } from '../../../database/rows.ts'
import { notifications, savedSearches, searchAlerts, wantedItems } from '../../../database/schema.ts'
import { defineNotification } from '../../notifications/define-notification.ts'
import { areBlocked } from '../../users/blocks.ts'

export const searchMatch = defineNotification('search_match', {
  to: (wantedItemId: number, { ownerId: by, people }: { ownerId: string; people: string[] }) =>
    people.map((to) => ({ to, about: [wantedItemId], by, wantedItemId })),
  isHourly: true,
  load: findMatchedSearches,
  title: ({ itemTitle }) => `New request: “${itemTitle}”`,
  text: ({ details }) =>
    details ? `It matches your saved search “${details.name}”.` : 'It matches a search that you had saved.',
  link: ({ itemId }) => ({ path: paths.item(itemId), action: 'See the request' }),
  // The request may have been closed, reserved or expired since the alert.
  email: (tx, { item }, content) => (item && itemStatusAt(item, tx.now) === 'open' ? content : null),
})

const DIGEST_ITEMS_MAX = 20

export const searchDigest = defineNotification('search_digest', {
  // The alerts of a digest are found by its time, which is also the time of the notification.
  to: (to: string, now: Date) => ({ to, about: [now.getTime()] }),
  title: 'New requests match your saved searches',
  text: 'Open a saved search to see its latest requests.',
  link: () => ({ path: paths.savedSearches(), action: 'Open your saved searches' }),
  /** Lists the requests of the digest that are still open. */
  async email(tx, { userId, createdAt }, content) {
    const items = await findDigestItems(tx, userId, createdAt, DIGEST_ITEMS_MAX + 1)
    if (items.length === 0) return null
    return {
      ...content,
      text:
        items.length > DIGEST_ITEMS_MAX
          ? `These are the latest ${DIGEST_ITEMS_MAX}. Open your saved searches to see all.`
          : 'These requests were posted since the last digest.',
      entries: items.slice(0, DIGEST_ITEMS_MAX).map((item) => ({
        title: removeDirectionMarks(item.title),
        detail: removeDirectionMarks(
          `${formatBudget(item, item.currency)} · ${item.category} · ${item.location}`,
        ),
        path: paths.item(item.id),
      })),
    }
  },
})

/** The open requests of a digest, newest first. Leaves out requests of blocked people. */
function findDigestItems(tx: Tx, userId: string, sentAt: Date, limit: number) {
  return tx
    .select(columns(wantedItems, 'id', 'title', 'minBudget', 'maxBudget', 'currency', 'category', 'location'))
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

/** The saved searches that matched, by the ids of the notifications. */
async function findMatchedSearches(db: Db, ids: number[]) {
  const found = await db
    .select({ id: notifications.id, name: savedSearches.name })
    .from(notifications)
    .innerJoin(
      searchAlerts,
      and(
        eq(searchAlerts.userId, notifications.userId),
        eq(searchAlerts.wantedItemId, notifications.wantedItemId),
      ),
    )
    .innerJoin(savedSearches, eq(savedSearches.id, searchAlerts.savedSearchId))
    .where(inArray(notifications.id, ids))
  return new Map(found.map((search) => [search.id, search]))
}
