import { submitRating } from '@sought/contract/payments'
import { listFeedback } from '@sought/contract/people'
import * as calls from '@sought/contract/reviews'
import { onPages } from '../../../http/next-page-link.ts'
import { on, type Route } from '../../../http/route.ts'
import type { Services } from '../../../services.ts'
import { feedbackOf, ratePayment, replyToReview as reply, reviewDeal, reviewsOf } from './actions.ts'

export function reviewRoutes({ database, replicas, clock }: Services): Route[] {
  return [
    on(calls.reviewPayment)(({ params, body, user }) =>
      database.transact((tx) => reviewDeal(tx, params.id, body, user)),
    ),

    on(submitRating)(({ params, body, user }) =>
      database.transact((tx) => ratePayment(tx, params.id, body, user)),
    ),

    on(calls.replyToReview)(({ params, body, user }) =>
      database.transact((tx) => reply(tx, params.id, body.text, user)),
    ),

    onPages(calls.listReviews)(({ params, query, user }) =>
      replicas.read(user, (db) => reviewsOf(db, params.id, query, clock())),
    ),

    onPages(listFeedback)(
      ({ params, query, user }) => {
        const page = { limit: query.limit, afterPayment: query.cursor }
        return replicas.read(user, (db) => feedbackOf(db, params.id, page, clock()))
      },
      ({ paymentId }) => paymentId,
    ),
  ]
}
