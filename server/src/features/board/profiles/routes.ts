import * as calls from '@sought/contract/people'
import { addNextPageLink } from '../../../http/next-page-link.ts'
import { on, type Route } from '../../../http/route.ts'
import type { Services } from '../../../services.ts'
import { openRequestsOf, profileOf } from './actions.ts'

export function peopleRoutes({ replicas, clock }: Services): Route[] {
  return [
    on(calls.getPublicProfile)(({ params, user }) =>
      replicas.read(user, (db) => profileOf(db, params.id, clock())),
    ),

    on(calls.listUserWantedItems)(async ({ params, query, user, reply }) => {
      const page = { limit: query.limit, before: query.cursor }
      const requests = await replicas.read(user, (db) => openRequestsOf(db, params.id, clock(), page))
      addNextPageLink(reply, calls.listUserWantedItems, query, requests, params)
      return requests
    }),
  ]
}
