import { and, desc, eq, ne, or } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db, Tx } from '../../platform/database.ts'
import { offers, users, wantedItems } from '../../platform/schema.ts'

const buyers = alias(users, 'buyers')
const sellers = alias(users, 'sellers')

function selectOffers(db: Db) {
  return db
    .select({ offer: offers, buyer: buyers, seller: sellers })
    .from(offers)
    .innerJoin(buyers, eq(buyers.id, offers.buyerId))
    .innerJoin(sellers, eq(sellers.id, offers.sellerId))
}

/** Offers that a user made or received, newest first. */
export function findOffersOf(db: Db, userId: string) {
  return selectOffers(db)
    .where(or(eq(offers.buyerId, userId), eq(offers.sellerId, userId)))
    .orderBy(desc(offers.id))
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

/** Withdraws the other pending offers between the same two users on this item. */
export async function withdrawSiblings(tx: Tx, offer: Pair, only?: 'buyer'): Promise<void> {
  await tx
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
}
