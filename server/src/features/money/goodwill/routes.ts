import * as calls from '@sought/contract/goodwill'
import { addNextPageLink } from '../../../http/next-page-link.ts'
import { on, type Route } from '../../../http/route.ts'
import type { Services } from '../../../services.ts'
import { approve, create, markPaid, readGoodwill, reject } from './actions.ts'

export function goodwillRoutes({ database: { read, transact } }: Services): Route[] {
  return [
    on(calls.listGoodwill)(async ({ query, reply }) => {
      const found = await readGoodwill(read, query)
      const page = found.map(({ rank: id }) => ({ id }))
      addNextPageLink(reply, calls.listGoodwill, query, page)
      return found
    }),

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
