import { desc, eq, or } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db } from '../../platform/database.ts'
import { offers, users } from '../../platform/schema.ts'

const buyers = alias(users, 'buyers')
const sellers = alias(users, 'sellers')

/** Offers that a person made or received, the latest first. */
export function findOffersOf(db: Db, userId: string) {
  return db
    .select({ offer: offers, buyer: buyers, seller: sellers })
    .from(offers)
    .innerJoin(buyers, eq(buyers.id, offers.buyerId))
    .innerJoin(sellers, eq(sellers.id, offers.sellerId))
    .where(or(eq(offers.buyerId, userId), eq(offers.sellerId, userId)))
    .orderBy(desc(offers.id))
}
