import {
  appealDecision as appealDecisionCall,
  claimCase as claimCaseCall,
  decideCase as decideCaseCall,
  decideCases as decideCasesCall,
  listModerationCases,
  listOwnDecisions,
} from '@sought/contract/moderation'
import { retryConcurrentWrites } from '../../../database/concurrent-write.ts'
import { on, type Route } from '../../../http/route.ts'
import type { Services } from '../../../services.ts'
import { appealDecision, ownDecisions } from './appeals.ts'
import { claimCase } from './claim-case.ts'
import { decideCase, decideCases } from './decide.ts'
import { openCases } from './present-cases.ts'

export function moderationRoutes({ database, clock }: Services): Route[] {
  const { read, transact } = database
  return [
    on(listModerationCases)(({ query, user }) => openCases(read, query, user, clock())),

    on(claimCaseCall)(({ params, user }) => transact((tx) => claimCase(tx, params.id, user))),

    on(decideCaseCall)(({ params, body, user }) =>
      retryConcurrentWrites(() => transact((tx) => decideCase(tx, params.id, body, user))),
    ),

    on(decideCasesCall)(({ body, user }) => decideCases(database, body, user)),

    on(listOwnDecisions)(({ user }) => ownDecisions(read, user)),

    on(appealDecisionCall)(({ params, body, user }) =>
      transact((tx) => appealDecision(tx, params.id, body.text, user)),
    ),
  ]
}
