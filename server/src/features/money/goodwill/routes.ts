import * as calls from '@sought/contract/goodwill'
import { onPages } from '../../../http/next-page-link.ts'
import { on, type Route } from '../../../http/route.ts'
import type { Services } from '../../../services.ts'
import { approve, create, markPaid, readGoodwill, reject } from './actions.ts'

export function goodwillRoutes({ database: { read, transact } }: Services): Route[] {
  return [
    onPages(calls.listGoodwill)(
      ({ query }) => readGoodwill(read, query),
      ({ rank }) => rank,
    ),

    on(calls.createGoodwill)(({ body, user }) => transact((tx) => create(tx, body, user))),

    on(calls.approveGoodwill)(({ params, user }) => transact((tx) => approve(tx, params.id, user))),

    on(calls.rejectGoodwill)(({ params, body, user }) =>
      transact((tx) => reject(tx, params.id, body.note, user)),
    ),

    on(calls.markGoodwillPaid)(({ params, body, user }) =>
      transact((tx) => markPaid(tx, params.id, body.reference, user)),
    ),
  ]
}
