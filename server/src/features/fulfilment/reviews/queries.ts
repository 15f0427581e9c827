import type { ReviewedAs } from '@sought/contract/reviews'
import { and, asc, desc, eq, inArray, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../database/database.ts'
import { columns, insertRow } from '../../../database/rows.ts'
import { offerRequests, payments, reports, reviews, users, wantedItems } from '../../../database/schema.ts'
import { shownTitle } from '../../board/requests/hidden-request.ts'
import { publicColumns } from '../../users/public-user.ts'
import { isPublished, isReviewingOver } from '../../users/review-window.ts'

export type StoredReview = typeof reviews.$inferSelect

export function findReviewsOf(tx: Tx, paymentId: number): Promise<StoredReview[]> {
  return tx.select().from(reviews).where(eq(reviews.paymentId, paymentId)).orderBy(reviews.id)
}

/** The payment is locked, so nobody else adds a review of the deal at the same time. */
export async function insertReview(
  tx: Tx,
  review: Omit<typeof reviews.$inferInsert, 'createdAt'>,
): Promise<StoredReview> {
  return insertRow(tx, reviews, { ...review, createdAt: tx.now })
}

/**
 * Locks uncounted reviews of deals that can no longer be reviewed, together with these deals. Skips rows locked
 * by another transaction.
 */
export function lockDueReviews(tx: Tx, limit: number) {
  return tx
    .select({
      review: reviews,
      payment: columns(payments, 'id', 'buyerId', 'sellerId', 'amount'),
    })
    .from(reviews)
    .innerJoin(payments, eq(payments.id, reviews.paymentId))
    .where(and(isNull(reviews.publishedAt), isReviewingOver(tx.now)))
    .orderBy(reviews.id)
    .limit(limit)
    .for('update', { skipLocked: true })
}

export async function publishReviews(tx: Tx, ids: number[]): Promise<void> {
  await tx
    .update(reviews)
    .set({ publishedAt: tx.now, isCounted: sql`${reviews.excluded} is null` })
    .where(sql`${reviews.id} = any(${sql.param(ids)})`)
}

type Stars = Pick<StoredReview, 'subjectId' | 'subjectRole' | 'rating'>

/** Adds stars to the averages of the people who received them, or takes them away. */
export async function addStars(tx: Tx, received: Stars[], sign: 1 | -1 = 1): Promise<void> {
  if (received.length === 0) return
  const ids = [...new Set(received.map(({ subjectId }) => subjectId))]
  // Updates people in one order, because two deals of the same people can be reviewed at the same time.
  await tx
    .select({ id: users.id })
    .from(users)
    .where(sql`${users.id} = any(${sql.param(ids)})`)
    .orderBy(asc(users.id))
    .for('no key update')
  await tx.execute(sql`
    update users set
      rating_sum = rating_sum + sign * added.sum, rating_count = rating_count + sign * added.count,
      buyer_rating_sum = buyer_rating_sum + sign * added.buyer_sum,
      buyer_rating_count = buyer_rating_count + sign * added.buyer_count
    from (select ${sign}::integer as sign) signs, (
      select "subjectId", sum(rating) as sum, count(*) as count,
        coalesce(sum(rating) filter (where "subjectRole" = 'buyer'), 0) as buyer_sum,
        count(*) filter (where "subjectRole" = 'buyer') as buyer_count
      from json_to_recordset(${JSON.stringify(received)})
        as received ("subjectId" text, "subjectRole" text, rating integer)
      group by "subjectId"
    ) added
    where users.id = added."subjectId"`)
}

const isBetween = (one: string, other: string) =>
  or(
    and(eq(reviews.authorId, one), eq(reviews.subjectId, other)),
    and(eq(reviews.authorId, other), eq(reviews.subjectId, one)),
  )

/** Taken before reviews and users are locked, because two deals of the same people can be reviewed at once. */
export async function lockPair(tx: Tx, one: string, other: string): Promise<void> {
  const pair = ['related', ...[one, other].sort()].join(':')
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${pair}, 0))`)
}

/** The reviews of two people that are not excluded yet, as they were before. */
export async function excludeReviewsBetween(tx: Tx, one: string, other: string): Promise<StoredReview[]> {
  const found = await tx
    .select()
    .from(reviews)
    .where(and(isBetween(one, other), isNull(reviews.excluded)))
    .orderBy(asc(reviews.id))
    .for('update')
  await tx
    .update(reviews)
    .set({ excluded: 'related', isCounted: false, recheckAt: null })
    .where(sql`${reviews.id} = any(${sql.param(found.map(({ id }) => id))})`)
  return found
}

/** Whether an automatic check has opened a case about a review of the two people. */
export async function hasCaseBetween(tx: Tx, one: string, other: string): Promise<boolean> {
  const found = await tx
    .select({ id: reports.id })
    .from(reports)
    .innerJoin(reviews, eq(reports.targetId, sql`${reviews.id}::text`))
    .where(and(isBetween(one, other), eq(reports.kind, 'review'), isNull(reports.reporterId)))
    .limit(1)
  return found.length > 0
}

/** Returns reviews whose accounts may have become related, and sets when to look again: daily for a time. */
export function claimReviewsToRecheck(tx: Tx, limit: number) {
  const due = tx
    .select({ id: reviews.id })
    .from(reviews)
    .where(lte(reviews.recheckAt, tx.now))
    .orderBy(reviews.recheckAt)
    .limit(limit)
    .for('update', { skipLocked: true })
  const createdUntil = daysLater(tx.now, -RECHECKED_DAYS).toISOString()
  return tx
    .update(reviews)
    .set({
      recheckAt: sql`case when ${reviews.createdAt} > ${createdUntil}::timestamptz then ${daysLater(tx.now, 1).toISOString()}::timestamptz end`,
    })
    .where(inArray(reviews.id, due))
    .returning(columns(reviews, 'id', 'authorId', 'subjectId'))
}

const RECHECKED_DAYS = 90

export const daysLater = (at: Date, days: number) => new Date(at.getTime() + days * 86_400_000)

function selectReviews(db: Db, where: SQL | undefined) {
  return db
    .select({ review: reviews, itemTitle: shownTitle, author: publicColumns(users) })
    .from(reviews)
    .innerJoin(payments, eq(payments.id, reviews.paymentId))
    .innerJoin(offerRequests, eq(offerRequests.offerId, payments.offerId))
    .innerJoin(wantedItems, eq(wantedItems.id, payments.wantedItemId))
    .innerJoin(users, eq(users.id, reviews.authorId))
    .where(where)
}

export type ReviewRow = Awaited<ReturnType<typeof selectReviews>>[number]

const isShown = (now: Date) => and(isPublished(now), isNull(reviews.hiddenAt))

export interface ReviewPage {
  as?: ReviewedAs | undefined
  limit: number
  /** The last review of the previous page. */
  cursor?: number | undefined
  /** The payment of the last review of the previous page. */
  afterPayment?: number | undefined
}

/** The reviews of a person that everyone may read, newest first. */
export function findPublishedReviews(db: Db, subjectId: string, page: ReviewPage, now: Date) {
  const { as, limit, cursor, afterPayment } = page
  return selectReviews(
    db,
    and(
      eq(reviews.subjectId, subjectId),
      isShown(now),
      as ? eq(reviews.subjectRole, as) : undefined,
      cursor ? lt(reviews.id, cursor) : undefined,
      afterPayment
        ? sql`${reviews.id} < (select id from reviews where payment_id = ${afterPayment} and subject_id = ${subjectId})`
        : undefined,
    ),
  )
    .orderBy(desc(reviews.id))
    .limit(limit)
}

/** A review of the person that everyone may read. */
export async function findReceivedReview(db: Db, id: number, subjectId: string, now: Date) {
  const [found] = await selectReviews(
    db,
    and(eq(reviews.id, id), eq(reviews.subjectId, subjectId), isShown(now)),
  )
  return found
}

/** Returns nothing if the review already has a reply. */
export async function saveReply(tx: Tx, id: number, reply: string): Promise<StoredReview | undefined> {
  const [saved] = await tx
    .update(reviews)
    .set({ reply, repliedAt: tx.now })
    .where(and(eq(reviews.id, id), isNull(reviews.reply)))
    .returning()
  return saved
}

export function findReviewsBy(db: Db, authorId: string, { limit, cursor }: ReviewPage) {
  return db
    .select()
    .from(reviews)
    .where(and(eq(reviews.authorId, authorId), cursor ? lt(reviews.id, cursor) : undefined))
    .orderBy(desc(reviews.id))
    .limit(limit)
}
