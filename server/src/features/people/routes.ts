import { getPublicProfile, listFeedback, listUserWantedItems } from '@sought/contract/people'
import { addNextPageLink } from '../../platform/next-page-link.ts'
import { on, type Route } from '../../platform/route.ts'
import type { Services } from '../../platform/services.ts'
import { feedbackOf, openRequestsOf, profileOf } from './actions.ts'

export function peopleRoutes({ database, clock }: Services): Route[] {
  const { read } = database
  return [
    on(getPublicProfile)(({ params }) => profileOf(read, params.id)),

    on(listFeedback)(async ({ params, query, reply }) => {
      const page = await feedbackOf(read, params.id, { limit: query.limit, after: query.cursor })
      const ids = page.map(({ paymentId }) => ({ id: paymentId }))
      addNextPageLink(reply, listFeedback, query, ids, params)
      return page
    }),

    on(listUserWantedItems)(async ({ params, query, reply }) => {
      const page = await openRequestsOf(read, params.id, clock(), {
        limit: query.limit,
        before: query.cursor,
      })
      addNextPageLink(reply, listUserWantedItems, query, page, params)
      return page
    }),
  ]
}
