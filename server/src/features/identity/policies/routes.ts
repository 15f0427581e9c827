import * as calls from '@sought/contract/policies'
import { on, type Route } from '../../../http/route.ts'
import type { Services } from '../../../services.ts'
import { acceptPolicy, findToAccept, listVersions, publishPolicy, readPolicy } from './actions.ts'

export function policyRoutes({ database, clock, market }: Services): Route[] {
  const { read, transact } = database
  return [
    on(calls.getPolicy)(({ params }) => readPolicy(read, params.policy, clock())),

    on(calls.listPolicies)(() => listVersions(read)),

    on(calls.publishPolicy)(async ({ params, body, user }) => {
      const published = await transact((tx) => publishPolicy(tx, params.policy, body, user))
      market.forget()
      return published
    }),

    on(calls.listPoliciesToAccept)(({ user }) => findToAccept(read, user.id, clock())),

    on(calls.acceptPolicy)(({ body, user }) =>
      transact((tx) => acceptPolicy(tx, body.policy, body.version, user)),
    ),
  ]
}
