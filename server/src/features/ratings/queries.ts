import { asc, eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../platform/database.ts'
import { payments, ratings, users } from '../../platform/schema.ts'

export async function findPayment(db: Db, id: number) {
  const [found] = await db
    .select({
      id: payments.id,
      buyerId: payments.buyerId,
      sellerId: payments.sellerId,
      status: payments.status,
    })
    .from(payments)
    .where(eq(payments.id, id))
  return found
}

export function findRatingsBy(db: Db, buyerId: string) {
  return db.select().from(ratings).where(eq(ratings.buyerId, buyerId)).orderBy(asc(ratings.paymentId))
}

/** Whether it was written: a payment that has a rating keeps it. */
export async function insertRating(
  tx: Tx,
  rating: Omit<typeof ratings.$inferInsert, 'createdAt'>,
): Promise<boolean> {
  const inserted = await tx
    .insert(ratings)
    .values({ ...rating, createdAt: tx.now })
    .onConflictDoNothing()
    .returning({ paymentId: ratings.paymentId })
  return inserted.length > 0
}

/** Adds to what is there rather than writing what was read, so that no rating is lost beside another. */
export async function addToAverage(tx: Tx, sellerId: string, rating: number): Promise<void> {
  await tx
    .update(users)
    .set({ ratingSum: sql`${users.ratingSum} + ${rating}`, ratingCount: sql`${users.ratingCount} + 1` })
    .where(eq(users.id, sellerId))
}
