import { asc, eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../platform/database.ts'
import { payments, ratings, users } from '../../platform/schema.ts'

export async function findPayment(db: Db, id: number) {
  const [found] = await db
    .select({
      id: payments.id,
      buyerId: payments.buyerId,
      sellerId: payments.sellerId,
      amount: payments.amount,
      status: payments.status,
    })
    .from(payments)
    .where(eq(payments.id, id))
  return found
}

export function findRatingsBy(db: Db, buyerId: string) {
  return db.select().from(ratings).where(eq(ratings.buyerId, buyerId)).orderBy(asc(ratings.paymentId))
}

/** Returns false if the payment already has a rating. */
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

/** Increments in SQL, so that concurrent ratings are not lost. */
export async function addToAverage(tx: Tx, sellerId: string, rating: number): Promise<void> {
  await tx
    .update(users)
    .set({ ratingSum: sql`${users.ratingSum} + ${rating}`, ratingCount: sql`${users.ratingCount} + 1` })
    .where(eq(users.id, sellerId))
}
