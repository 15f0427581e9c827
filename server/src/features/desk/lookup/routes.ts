import * as calls from '@sought/contract/lookup'
import { onPages } from '../../../http/next-page-link.ts'
import { on, type Route } from '../../../http/route.ts'
import type { Services } from '../../../services.ts'
import { readDeal } from './deal.ts'
import { readPerson, readPersonEvents } from './person.ts'
import { search } from './search.ts'

export function lookupRoutes(services: Services): Route[] {
  const { transact } = services.database
  return [
    on(calls.lookUp)(({ query, user }) => search(services, query.q, user)),

    on(calls.getPerson)(({ params, user }) => transact((tx) => readPerson(tx, params.id, user))),

    onPages(calls.listPersonEvents)(({ params, query, user }) =>
      transact((tx) => readPersonEvents(tx, params.id, query, user)),
    ),

    on(calls.getDeal)(({ params, user }) => transact((tx) => readDeal(tx, params.paymentId, user))),
  ]
}
