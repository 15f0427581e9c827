import { and, desc, eq, gt, inArray, lt, ne, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db, Tx } from '../../platform/database.ts'
import { messages, offers, users, wantedItems } from '../../platform/schema.ts'

const buyers = alias(users, 'buyers')
const sellers = alias(users, 'sellers')

function selectOffers(db: Db) {
  return db
    .select({ offer: offers, buyer: buyers, seller: sellers })
    .from(offers)
    .innerJoin(buyers, eq(buyers.id, offers.buyerId))
    .innerJoin(sellers, eq(sellers.id, offers.sellerId))
}

export interface OfferFilter {
  wantedItemId?: number | undefined
  /** The other person. */
  userId?: string | undefined
  cursor?: number | undefined
  limit: number
}

/** Offers that a user made or received, newest first. */
export function findOffersOf(db: Db, me: string, { wantedItemId, userId, cursor, limit }: OfferFilter) {
  return selectOffers(db)
    .where(
      and(
        or(eq(offers.buyerId, me), eq(offers.sellerId, me)),
        wantedItemId === undefined ? undefined : eq(offers.wantedItemId, wantedItemId),
        userId === undefined ? undefined : or(eq(offers.buyerId, userId), eq(offers.sellerId, userId)),
        cursor === undefined ? undefined : lt(offers.id, cursor),
      ),
    )
    .orderBy(desc(offers.id))
    .limit(limit)
}

export async function findOffer(db: Db, id: number) {
  const [found] = await selectOffers(db).where(eq(offers.id, id))
  return found
}

/**
 * Locks all offers between the two users on this item by ascending id, because answering one offer changes the
 * others, and returns the requested one.
 */
export async function lockOffer(tx: Tx, id: number) {
  const [{ wantedItemId, buyerId, sellerId } = {}] = await tx.select().from(offers).where(eq(offers.id, id))
  if (!wantedItemId || !buyerId || !sellerId) return undefined
  const siblings = await tx
    .select()
    .from(offers)
    .where(
      and(eq(offers.wantedItemId, wantedItemId), eq(offers.buyerId, buyerId), eq(offers.sellerId, sellerId)),
    )
    .orderBy(offers.id)
    .for('update')
  return siblings.find((offer) => offer.id === id)
}

/** Whether a user owns the request, or has written or made an offer about it before. */
export async function isKnownTo(db: Db, wantedItemId: number, userId: string): Promise<boolean> {
  const { rows } = await db.execute<{ is_known: boolean }>(sql`
    select exists (select from ${wantedItems} where id = ${wantedItemId} and user_id = ${userId})
        or exists (select from ${messages} where wanted_item_id = ${wantedItemId} and sender_id = ${userId})
        or exists (select from ${offers} where wanted_item_id = ${wantedItemId} and seller_id = ${userId})
        as is_known`)
  return rows[0]?.is_known ?? false
}

/** Serializes the offers of a seller on a request, of which only one may be open. */
export async function lockOffering(tx: Tx, sellerId: string, wantedItemId: number): Promise<void> {
  const key = `offer:${sellerId}`
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, ${wantedItemId}))`)
}

/** Withdraws the seller's open offer on a request, also an expired one. Returns the withdrawn ids. */
export async function withdrawOpenOffer(tx: Tx, sellerId: string, wantedItemId: number): Promise<number[]> {
  const withdrawn = await tx
    .update(offers)
    .set({ status: 'withdrawn', withdrawnAt: tx.now, updatedAt: tx.now })
    .where(
      and(
        eq(offers.wantedItemId, wantedItemId),
        eq(offers.sellerId, sellerId),
        eq(offers.proposedBy, 'seller'),
        eq(offers.status, 'pending'),
      ),
    )
    .returning({ id: offers.id })
  return withdrawn.map(({ id }) => id)
}

/** Says which offer took the place of withdrawn ones. */
export async function setReplacedBy(tx: Tx, ids: number[], replacedBy: number): Promise<void> {
  if (ids.length > 0) await tx.update(offers).set({ replacedBy }).where(inArray(offers.id, ids))
}

export async function findSellersWithOpenOffers(db: Db, wantedItemId: number, now: Date): Promise<string[]> {
  const found = await db
    .selectDistinct({ sellerId: offers.sellerId })
    .from(offers)
    .where(
      and(eq(offers.wantedItemId, wantedItemId), eq(offers.status, 'pending'), gt(offers.expiresAt, now)),
    )
  return found.map(({ sellerId }) => sellerId)
}

/** Prevents changes to the item, such as closing it, until the transaction ends. */
export async function lockItemShared(tx: Tx, id: number) {
  const [found] = await tx.select().from(wantedItems).where(eq(wantedItems.id, id)).for('share')
  return found
}

export async function insertOffer(
  tx: Tx,
  offer: Omit<typeof offers.$inferInsert, 'id' | 'status' | 'createdAt' | 'updatedAt'>,
): Promise<number> {
  const [inserted] = await tx
    .insert(offers)
    .values({ ...offer, createdAt: tx.now, updatedAt: tx.now })
    .returning({ id: offers.id })
  if (!inserted) throw new Error('insert returned no row')
  return inserted.id
}

export async function updateOffer(tx: Tx, id: number, change: Partial<typeof offers.$inferInsert>) {
  await tx
    .update(offers)
    .set({ ...change, updatedAt: tx.now })
    .where(eq(offers.id, id))
}

type Pair = Pick<typeof offers.$inferSelect, 'id' | 'wantedItemId' | 'buyerId' | 'sellerId'>

/** Withdraws the other pending offers between the same two users on this item. Returns their ids. */
export async function withdrawSiblings(tx: Tx, offer: Pair, only?: 'buyer'): Promise<number[]> {
  const withdrawn = await tx
    .update(offers)
    .set({ status: 'withdrawn', withdrawnAt: tx.now, updatedAt: tx.now })
    .where(
      and(
        eq(offers.wantedItemId, offer.wantedItemId),
        eq(offers.buyerId, offer.buyerId),
        eq(offers.sellerId, offer.sellerId),
        eq(offers.status, 'pending'),
        ne(offers.id, offer.id),
        only ? eq(offers.proposedBy, only) : undefined,
      ),
    )
    .returning({ id: offers.id })
  return withdrawn.map(({ id }) => id)
}
