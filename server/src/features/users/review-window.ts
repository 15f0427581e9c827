import { REVIEW_DAYS } from '@sought/contract/reviews'
import { ENDED_STATUSES, type PaymentStatus } from '@sought/escrow/payment-status'
import { isNotNull, or, sql } from 'drizzle-orm'
import { payments, reviews } from '../../database/schema.ts'

/*
 * The period in which a deal can be reviewed. Afterwards its reviews are public, even before a job has run (ADR
 * 78).
 */

const REVIEW_MS = REVIEW_DAYS * 86_400_000
const ended: readonly PaymentStatus[] = ENDED_STATUSES

type Deal = Pick<typeof payments.$inferSelect, 'status' | 'escrowHoldUntil' | 'completedAt' | 'endedAt'>

/** When the review period ends. Null before the end of the deal, and for a payment that was never in escrow. */
export function reviewUntil({ status, escrowHoldUntil, ...times }: Deal): Date | null {
  if (!ended.includes(status) || !escrowHoldUntil) return null
  const { completedAt, endedAt } = times
  const [first] = [completedAt, endedAt].filter((at) => at !== null).toSorted(compareDates)
  return first ? new Date(first.getTime() + REVIEW_MS) : null
}

const compareDates = (one: Date, other: Date) => one.getTime() - other.getTime()

/** Deals that ended before this can no longer be reviewed. */
export const reviewableSince = (now: Date): Date => new Date(now.getTime() - REVIEW_MS)

/** A later decision by a bank does not extend the review period. */
export const dealEndedAt = sql<Date>`least(${payments.completedAt}, ${payments.endedAt})`.mapWith(
  payments.endedAt,
)

/** Whether the review period of the deal is over. */
export const isReviewingOver = (now: Date) =>
  sql`${dealEndedAt} <= ${reviewableSince(now).toISOString()}::timestamptz`

/** For statements that join a review with its payment. */
export const isPublished = (now: Date) => or(isNotNull(reviews.publishedAt), isReviewingOver(now))
