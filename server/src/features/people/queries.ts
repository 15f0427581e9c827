import { and, desc, eq, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { batchReads } from '../../platform/batched-reads.ts'
import type { Db } from '../../platform/database.ts'
import { prepareOnce } from '../../platform/prepared.ts'
import { shownPicture } from '../../platform/public-user.ts'
import { payments, ratings, users, wantedItems } from '../../platform/schema.ts'

/** The public columns. Private ones are not loaded. */
export const publicColumns = {
  id: users.id,
  firstName: users.firstName,
  lastName: users.lastName,
  rating: users.rating,
  profileImageUrl: shownPicture,
}

const peopleStatement = prepareOnce((db) =>
  db
    .select({
      ...publicColumns,
      ratingCount: users.ratingCount,
      cancelledDeals: db.$count(
        payments,
        and(
          eq(payments.sellerId, users.id),
          isNotNull(payments.cancelledBy),
          or(eq(payments.cancelledBy, 'seller'), eq(payments.cancelledLate, true)),
        ),
      ),
      bio: sql<string | null>`case when ${users.profileHiddenAt} is null then ${users.bio} end`,
      sellingKeywords: users.sellingKeywords,
      sellingCategories: users.sellingCategories,
      createdAt: users.createdAt,
    })
    .from(users)
    .where(and(sql`${users.id} = any(${sql.placeholder('ids')})`, isNull(users.deletedAt)))
    .prepare('people'),
)

/** Read together with others that visitors ask for at the same time. */
export const readPerson = batchReads(
  async (db, ids: string[]) =>
    new Map((await peopleStatement(db).execute({ ids })).map((person) => [person.id, person])),
)

/** Ratings of a seller, newest first. The cursor is the payment id of the last rating. */
export function findFeedback(db: Db, sellerId: string, page: { limit: number; after?: number | undefined }) {
  const { limit, after } = page
  const last = sql`(select created_at, payment_id from ${ratings} where payment_id = ${after})`
  return db
    .select({
      rating: {
        paymentId: ratings.paymentId,
        rating: ratings.rating,
        feedback: ratings.feedback,
        createdAt: ratings.createdAt,
      },
      itemTitle: wantedItems.title,
      buyer: publicColumns,
    })
    .from(ratings)
    .innerJoin(payments, eq(payments.id, ratings.paymentId))
    .innerJoin(wantedItems, eq(wantedItems.id, payments.wantedItemId))
    .innerJoin(users, eq(users.id, ratings.buyerId))
    .where(
      and(
        eq(ratings.sellerId, sellerId),
        after ? sql`(${ratings.createdAt}, ${ratings.paymentId}) < ${last}` : undefined,
      ),
    )
    .orderBy(desc(ratings.createdAt), desc(ratings.paymentId))
    .limit(limit)
}
