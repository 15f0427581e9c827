import type { BodyOf } from '@sought/contract/call'
import type { submitRating } from '@sought/contract/payments'
import type { RefusalCode } from '@sought/contract/refusals'
import type { reviewPayment } from '@sought/contract/reviews'
import { refuse } from '../../../core/errors.ts'
import type { Db, PooledDb, Tx } from '../../../database/database.ts'
import { announce } from '../../../http/events.ts'
import type { User } from '../../../http/session.ts'
import { findActivePerson } from '../../board/profiles/actions.ts'
import { lockOwnPayment } from '../../money/payments/stored-payment.ts'
import { notify } from '../../notifications/actions.ts'
import { asPublicUser } from '../../users/public-user.ts'
import { reviewUntil } from '../../users/review-window.ts'
import { excludeIfRelated, findExclusion } from './excluded-reviews.ts'
import { ratingReceived, reviewPublished, reviewReplied } from './notifications.ts'
import type { ReviewPage, ReviewRow, StoredReview } from './queries.ts'
import * as queries from './queries.ts'

type Person = Pick<User, 'id'>
type Deal = Awaited<ReturnType<typeof lockOwnPayment>>

export async function reviewDeal(
  tx: Tx,
  paymentId: number,
  review: BodyOf<typeof reviewPayment>,
  user: Person,
) {
  const deal = await lockOwnPayment(tx, paymentId, user)
  return writeReview(tx, deal, review, { tooEarly: 'review_too_early', again: 'already_reviewed' })
}

/** The buyer's review of the seller, from the rating screen. */
export async function ratePayment(
  tx: Tx,
  paymentId: number,
  { rating, tags, feedback }: BodyOf<typeof submitRating>,
  user: Person,
) {
  const deal = await lockOwnPayment(tx, paymentId, user)
  if (deal.party !== 'buyer') throw refuse('not_the_buyer')
  const codes = { tooEarly: 'payment_wrong_state', again: 'already_rated' } as const
  await writeReview(tx, deal, { rating, tags, text: feedback }, codes)
  return { ok: true as const }
}

/**
 * The first review of a deal stays hidden, and the second one publishes both (ADR 78). The payment is locked,
 * so that concurrent reviews see each other.
 */
async function writeReview(
  tx: Tx,
  { payment, party }: Deal,
  { rating, tags, text }: BodyOf<typeof reviewPayment>,
  codes: { tooEarly: RefusalCode; again: RefusalCode },
) {
  const { id: paymentId, buyerId, sellerId } = payment
  const closesAt = reviewUntil(payment)
  if (!closesAt) throw refuse(codes.tooEarly)
  const [authorId, subjectId] = party === 'buyer' ? [buyerId, sellerId] : [sellerId, buyerId]
  await queries.lockPair(tx, authorId, subjectId)
  const stored = await queries.findReviewsOf(tx, paymentId)
  if (stored.some((review) => review.authorId === authorId)) throw refuse(codes.again)
  if (closesAt <= tx.now) throw refuse('review_closed')
  const other = stored[0]
  const subjectRole = party === 'buyer' ? 'seller' : 'buyer'
  const excluded = await findExclusion(tx, { authorId, subjectId }, payment)
  const written = await queries.insertReview(tx, {
    paymentId,
    authorId,
    subjectId,
    subjectRole,
    rating,
    tags,
    text: text || null,
    publishedAt: other ? tx.now : null,
    isCounted: !excluded && (subjectRole === 'seller' || other !== undefined),
    excluded,
    recheckAt: excluded === 'related' ? null : queries.daysLater(tx.now, 1),
  })
  if (excluded === 'related') await excludeIfRelated(tx, written)
  if (other) await queries.publishReviews(tx, [other.id])
  const isOtherDue = other && !other.isCounted && !other.excluded && excluded !== 'related'
  await queries.addStars(tx, [...(written.isCounted ? [written] : []), ...(isOtherDue ? [other] : [])])
  await announce(tx, [buyerId, sellerId], { about: 'payments' })
  const event = other ? reviewPublished : ratingReceived
  await notify(tx, event(payment, subjectRole))
  return { id: written.id, published: other !== undefined }
}

/** A review that the user may not read yet counts as missing. */
export async function replyToReview(tx: Tx, id: number, text: string, user: Person) {
  const found = await queries.findReceivedReview(tx, id, user.id, tx.now)
  if (!found) throw refuse('review_not_found')
  const review = await queries.saveReply(tx, id, text)
  if (!review) throw refuse('already_replied')
  await notify(tx, reviewReplied(review))
  return asReview({ ...found, review })
}

export async function reviewsOf(db: PooledDb, id: string, page: ReviewPage, now: Date) {
  await findActivePerson(db, id)
  return (await queries.findPublishedReviews(db, id, page, now)).map(asReview)
}

/** The buyers' reviews of a seller. */
export async function feedbackOf(db: PooledDb, id: string, page: Omit<ReviewPage, 'as'>, now: Date) {
  await findActivePerson(db, id)
  return (await queries.findPublishedReviews(db, id, { ...page, as: 'seller' }, now)).map(asFeedback)
}

/** Includes reviews that are not published yet. */
export async function reviewsBy(db: Db, { id }: Person, page: ReviewPage) {
  return (await queries.findReviewsBy(db, id, page)).map(asWrittenReview)
}

function asReview({ review, itemTitle, author }: ReviewRow) {
  return { ...asWrittenReview(review), itemTitle, by: asPublicUser(author) }
}

function asFeedback({ review, itemTitle, author }: ReviewRow) {
  const { paymentId, rating, text: feedback, createdAt } = review
  return { paymentId, rating, feedback, itemTitle, by: asPublicUser(author), createdAt }
}

function asWrittenReview({ subjectRole, reply, repliedAt, ...review }: StoredReview) {
  return {
    ...review,
    as: subjectRole,
    reply: reply !== null && repliedAt !== null ? { text: reply, createdAt: repliedAt } : null,
    ...(review.excluded && { notCounted: true as const }),
  }
}
