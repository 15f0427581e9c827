import { ENDED_STATUSES } from '@sought/escrow/payment-status'
import { and, eq, isNull, not, type SQL, sql } from 'drizzle-orm'
import { batchReads } from '../../../database/batched-reads.ts'
import type { Db } from '../../../database/database.ts'
import { prepareOnce } from '../../../database/prepared.ts'
import { columns } from '../../../database/rows.ts'
import { passkeys, payments, reviews, totpFactors, users } from '../../../database/schema.ts'
import { shownPicture } from '../../users/public-user.ts'
import { dealEndedAt } from '../../users/review-window.ts'

/** The public columns. Private ones are not loaded. */
export const publicColumns = {
  ...columns(users, 'id', 'firstName', 'lastName', 'rating'),
  profileImageUrl: shownPicture,
}

const count = (condition: SQL) => sql<number>`count(*) filter (where ${condition})`.mapWith(Number)

const completed = sql`${payments.status} in ('completed', 'resolved_seller') and ${payments.deskStatus} is distinct from 'resolved_buyer'`
/** The seller cancelled or did not ship in time. */
const cancelledBySeller = sql`${payments.cancelledBy} = 'seller' or ${payments.cancelledLate}`
const cancelledByBuyer = sql`${payments.cancelledBy} = 'buyer' and not ${payments.cancelledLate}`
/** Excludes refunds that we made without a dispute. */
const lostBySeller = sql`${payments.deskStatus} = 'resolved_buyer' and (${payments.status} = 'completed' or ${payments.disputedAt} is not null)`
const lostByBuyer = sql`${payments.deskStatus} = 'resolved_seller'`

/** Counts each user's deals in one role, with one scan. */
const dealsAs = (db: Db, role: 'buyer' | 'seller') =>
  db
    .select({
      completed: count(completed).as(`completed_as_${role}`),
      cancelled: count(role === 'seller' ? cancelledBySeller : cancelledByBuyer).as(`cancelled_as_${role}`),
      lost: count(role === 'seller' ? lostBySeller : lostByBuyer).as(`lost_as_${role}`),
    })
    .from(payments)
    .where(
      and(
        eq(role === 'seller' ? payments.sellerId : payments.buyerId, users.id),
        sql`${payments.status} in (${sql.raw(ENDED_STATUSES.map((status) => `'${status}'`).join(', '))})`,
      ),
    )

/**
 * The stars of a user's reviews that are not in the average yet (ADR 78), with the times when their deals ended.
 */
const uncounted = (db: Db) =>
  db
    .select({
      stars: sql<
        [number, string][]
      >`coalesce(json_agg(json_build_array(${reviews.rating}, ${dealEndedAt})), '[]')`.as('stars'),
    })
    .from(reviews)
    .innerJoin(payments, eq(payments.id, reviews.paymentId))
    .where(and(eq(reviews.subjectId, users.id), not(reviews.isCounted), isNull(reviews.excluded)))

const hasSecondFactor = sql<boolean>`exists (select from ${totpFactors} where ${totpFactors.userId} = ${users.id} and ${totpFactors.enabledAt} is not null) or exists (select from ${passkeys} where ${passkeys.userId} = ${users.id})`

const peopleStatement = prepareOnce((db) => {
  const sold = dealsAs(db, 'seller').as('sold')
  const bought = dealsAs(db, 'buyer').as('bought')
  const waiting = uncounted(db).as('waiting')
  return db
    .select({
      ...columns(users, 'id', 'firstName', 'lastName'),
      profileImageUrl: shownPicture,
      ...columns(users, 'ratingSum', 'ratingCount', 'buyerRatingSum', 'buyerRatingCount'),
      uncounted: waiting.stars,
      completedAsSeller: sold.completed,
      cancelledAsSeller: sold.cancelled,
      lostAsSeller: sold.lost,
      completedAsBuyer: bought.completed,
      cancelledAsBuyer: bought.cancelled,
      lostAsBuyer: bought.lost,
      responseMinutes: users.responseMinutes,
      hasEmail: sql<boolean>`${users.emailVerifiedAt} is not null`,
      hasPhone: sql<boolean>`coalesce(${users.phone} = ${users.verifiedPhone}, false)`,
      hasPayouts: users.payoutsEnabled,
      hasSecondFactor,
      bio: sql<string | null>`case when ${users.profileHiddenAt} is null then ${users.bio} end`,
      ...columns(users, 'sellingKeywords', 'sellingCategories', 'createdAt'),
    })
    .from(users)
    .innerJoinLateral(sold, sql`true`)
    .innerJoinLateral(bought, sql`true`)
    .innerJoinLateral(waiting, sql`true`)
    .where(and(sql`${users.id} = any(${sql.placeholder('ids')})`, isNull(users.deletedAt)))
    .prepare('')
})

export type Person = Awaited<ReturnType<ReturnType<typeof peopleStatement>['execute']>>[number]

/** Batched with concurrent reads of other people. */
export const readPerson = batchReads(
  async (db, ids: string[]) =>
    new Map((await peopleStatement(db).execute({ ids })).map((person) => [person.id, person])),
)
