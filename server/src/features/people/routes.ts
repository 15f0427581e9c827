import { getPublicProfile, listFeedback, listUserWantedItems } from '@sought/contract/people'
import { addNextPageLink } from '../../platform/next-page-link.ts'
import { on, type Route } from '../../platform/route.ts'
import type { Services } from '../../platform/services.ts'
import { feedbackOf, openRequestsOf, profileOf } from './actions.ts'

export function peopleRoutes({ replicas, clock }: Services): Route[] {
  return [
    on(getPublicProfile)(({ params, user }) => replicas.read(user, (db) => profileOf(db, params.id))),

    on(listFeedback)(async ({ params, query, user, reply }) => {
      const page = { limit: query.limit, after: query.cursor }
      const feedback = await replicas.read(user, (db) => feedbackOf(db, params.id, page))
      const ids = feedback.map(({ paymentId }) => ({ id: paymentId }))
      addNextPageLink(reply, listFeedback, query, ids, params)
      return feedback
    }),

    on(listUserWantedItems)(async ({ params, query, user, reply }) => {
      const page = { limit: query.limit, before: query.cursor }
      const requests = await replicas.read(user, (db) => openRequestsOf(db, params.id, clock(), page))
      addNextPageLink(reply, listUserWantedItems, query, requests, params)
      return requests
    }),
  ]
}
