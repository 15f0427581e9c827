import {
  acceptPolicy as acceptPolicyCall,
  getPolicy,
  listPolicies,
  publishPolicy as publishPolicyCall,
} from '@sought/contract/policies'
import { on, type Route } from '../../platform/route.ts'
import type { Services } from '../../platform/services.ts'
import { acceptPolicy, listVersions, publishPolicy, readPolicy } from './actions.ts'

export function policyRoutes({ database, clock }: Services): Route[] {
  const { read, transact } = database
  return [
    on(getPolicy)(({ params }) => readPolicy(read, params.policy, clock())),

    on(listPolicies)(() => listVersions(read)),

    on(publishPolicyCall)(({ params, body, user }) =>
      transact((tx) => publishPolicy(tx, params.policy, body, user)),
    ),

    on(acceptPolicyCall)(({ body, user }) =>
      transact((tx) => acceptPolicy(tx, body.policy, body.version, user)),
    ),
  ]
}
