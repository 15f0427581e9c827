import * as calls from '@sought/contract/people'
import { onPages } from '../../../http/next-page-link.ts'
import { on, type Route } from '../../../http/route.ts'
import type { Services } from '../../../services.ts'
import { openRequestsOf, profileOf } from './actions.ts'

export function peopleRoutes({ replicas, clock }: Services): Route[] {
  return [
    on(calls.getPublicProfile)(({ params, user }) =>
      replicas.read(user, (db) => profileOf(db, params.id, clock())),
    ),

    onPages(calls.listUserWantedItems)(({ params, query, user }) => {
      const page = { limit: query.limit, before: query.cursor }
      return replicas.read(user, (db) => openRequestsOf(db, params.id, clock(), page))
    }),
  ]
}
