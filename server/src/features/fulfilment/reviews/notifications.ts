import { paths } from '@sought/contract/paths'
import { formatDate } from '../../../core/dates.ts'
import { defineNotification } from '../../notifications/define-notification.ts'
import { type Deal, otherParty, type Party, toParty } from '../../notifications/to-parties.ts'
import { reviewUntil } from '../../users/review-window.ts'

const toSubject = (payment: Deal, subject: Party) =>
  toParty(subject, payment, { by: subject === 'buyer' ? payment.sellerId : payment.buyerId })

/** The recipient may not read the review yet, so the notification does not describe it. */
export const ratingReceived = defineNotification('rating_received', {
  to: toSubject,
  title: ({ actorName, itemTitle }) => `${actorName} rated you for “${itemTitle}”`,
  text({ payment }) {
    const shownOn = payment && reviewUntil(payment)
    return `You can read the rating once you have written your own review, or from ${shownOn ? formatDate(shownOn) : ''}.`
  },
  link: ({ paymentId }) => ({ path: paths.review(paymentId), action: 'Write a review' }),
})

export const reviewPublished = defineNotification('review_published', {
  to: toSubject,
  title: ({ actorName, itemTitle }) => `The review of ${actorName} for “${itemTitle}” is public`,
  text: 'Read it on your public page. You can reply to it once.',
  link: ({ userId, role }) => ({ path: paths.user(userId, { as: role }), action: 'Open your page' }),
})

interface Review {
  paymentId: number
  authorId: string
  subjectId: string
}

export const reviewReplied = defineNotification('review_replied', {
  kind: 'review_published',
  to: ({ paymentId, authorId: to, subjectId: by }: Review) => ({ to, about: [paymentId], by, paymentId }),
  title: ({ actorName, itemTitle }) => `${actorName} replied to your review for “${itemTitle}”`,
  text: 'Everyone can read the reply below your review.',
  link: ({ userId, role, actorId }) => ({
    path: paths.user(actorId ?? userId, { as: otherParty(role) }),
    action: 'Read the reply',
  }),
})
