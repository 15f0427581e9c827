import { asPublicUser } from '../../users/public-user.ts'
import type { ReviewRow, StoredReview } from './queries.ts'

export function asReview({ review, itemTitle, author }: ReviewRow) {
  return { ...asWrittenReview(review), itemTitle, by: asPublicUser(author) }
}

export function asFeedback({ review, itemTitle, author }: ReviewRow) {
  const { paymentId, rating, text: feedback, createdAt } = review
  return { paymentId, rating, feedback, itemTitle, by: asPublicUser(author), createdAt }
}

export function asWrittenReview({ subjectRole, reply, repliedAt, ...review }: StoredReview) {
  return {
    ...review,
    as: subjectRole,
    reply: reply !== null && repliedAt !== null ? { text: reply, createdAt: repliedAt } : null,
  }
}
