import { and, asc, desc, eq, gt, inArray, ne, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../database/database.ts'
import { admins, offers, requestVersions, type StoredImage, wantedItems } from '../../../database/schema.ts'

/** What a user has to do with a request. Undefined if there is no such request. */
export async function findVersionReader(db: Db, wantedItemId: number, userId: string) {
  const hasOffer = (condition: SQL) => sql<boolean>`exists (
    select from ${offers} where wanted_item_id = ${wantedItemId} and ${condition})`
  const [found] = await db
    .select({
      isOwner: sql<boolean>`${wantedItems.userId} = ${userId}`,
      isHidden: sql<boolean>`${wantedItems.hiddenAt} is not null`,
      hasOffer: hasOffer(sql`seller_id = ${userId}`),
      hasDeal: hasOffer(sql`status = 'accepted' and ${userId} in (seller_id, buyer_id)`),
      isStaff: sql<boolean>`exists (select from ${admins} where user_id = ${userId})`,
    })
    .from(wantedItems)
    .where(eq(wantedItems.id, wantedItemId))
  return found
}

/** The open offers that answer an earlier version, one for each seller: their own one before a counter-offer. */
export function findOutdatedOffers(tx: Tx, wantedItemId: number) {
  return tx
    .selectDistinctOn([offers.sellerId], { id: offers.id, sellerId: offers.sellerId })
    .from(offers)
    .innerJoin(wantedItems, eq(wantedItems.id, offers.wantedItemId))
    .where(
      and(
        eq(offers.wantedItemId, wantedItemId),
        eq(offers.status, 'pending'),
        gt(offers.expiresAt, tx.now),
        ne(offers.requestVersion, wantedItems.version),
      ),
    )
    .orderBy(offers.sellerId, desc(offers.proposedBy))
}

export function findVersions(db: Db, wantedItemIds: number[]) {
  const { wantedItemId, version, title, description, category, createdAt } = requestVersions
  const { minBudget, maxBudget, currency } = requestVersions
  const images = sql<StoredImage[]>`shown_images(${requestVersions.images})`
  return db
    .select({
      wantedItemId,
      version,
      title,
      description,
      category,
      minBudget,
      maxBudget,
      currency,
      images,
      createdAt,
    })
    .from(requestVersions)
    .where(inArray(wantedItemId, wantedItemIds))
    .orderBy(asc(wantedItemId), asc(version))
}
