import * as calls from '@sought/contract/moderation'
import { retryConcurrentWrites } from '../../../database/concurrent-write.ts'
import { on, type Route } from '../../../http/route.ts'
import type { Services } from '../../../services.ts'
import { appealDecision, ownDecisions } from './appeals.ts'
import { claimCase, decideCase, decideCases } from './decide.ts'
import { openCases } from './present-cases.ts'

export function moderationRoutes({ database, clock }: Services): Route[] {
  const { read, transact } = database
  return [
    on(calls.listModerationCases)(({ query, user }) => openCases(read, query, user, clock())),

    on(calls.claimCase)(({ params, user }) => transact((tx) => claimCase(tx, params.id, user))),

    on(calls.decideCase)(({ params, body, user }) =>
      retryConcurrentWrites(() => transact((tx) => decideCase(tx, params.id, body, user))),
    ),

    on(calls.decideCases)(({ body, user }) => decideCases(database, body, user)),

    on(calls.listOwnDecisions)(({ user }) => ownDecisions(read, user)),

    on(calls.appealDecision)(({ params, body, user }) =>
      transact((tx) => appealDecision(tx, params.id, body.text, user)),
    ),
  ]
}
