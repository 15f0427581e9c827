import { REVIEW_DAYS } from '@sought/contract/reviews'
import { ENDED_STATUSES, type PaymentStatus } from '@sought/escrow/payment-status'
import { isNotNull, or, sql } from 'drizzle-orm'
import { payments, reviews } from './schema.ts'

/*
 * How long a deal can be reviewed. Afterwards its reviews are public, whether or not a job has run since (ADR 78).
 */

const REVIEW_MS = REVIEW_DAYS * 86_400_000
const ended: readonly PaymentStatus[] = ENDED_STATUSES

type Deal = Pick<
  typeof payments.$inferSelect,
  'status' | 'escrowHoldUntil' | 'completedAt' | 'endedAt' | 'updatedAt'
>

/** From then on the deal can no longer be reviewed. Null before its end, and for a payment that was never in escrow. */
export function reviewUntil({ status, escrowHoldUntil, ...times }: Deal): Date | null {
  if (!ended.includes(status) || !escrowHoldUntil) return null
  const { completedAt, endedAt, updatedAt } = times
  const [first = updatedAt] = [completedAt, endedAt].filter((at) => at !== null).toSorted(compareDates)
  return new Date(first.getTime() + REVIEW_MS)
}

const compareDates = (one: Date, other: Date) => one.getTime() - other.getTime()

/** Deals that ended before then can no longer be reviewed. */
export const reviewableSince = (now: Date): Date => new Date(now.getTime() - REVIEW_MS)

/** Payments of earlier releases have no `ended_at`. A decision of a bank after the end does not prolong it. */
export const dealEndedAt =
  sql<Date>`coalesce(least(${payments.completedAt}, ${payments.endedAt}), ${payments.updatedAt})`.mapWith(
    payments.endedAt,
  )

/** Whether the time to review the deal is over. */
export const isReviewingOver = (now: Date) =>
  sql`${dealEndedAt} <= ${reviewableSince(now).toISOString()}::timestamptz`

/** For statements that join a review with its payment. */
export const isPublished = (now: Date) => or(isNotNull(reviews.publishedAt), isReviewingOver(now))
