import * as calls from '@sought/contract/reconciliation'
import { on, type Route } from '../../../http/route.ts'
import type { Services } from '../../../services.ts'
import { readReconciliation } from './actions.ts'

export function reconciliationRoutes({ database, clock }: Services): Route[] {
  return [on(calls.getReconciliation)(() => readReconciliation(database.read, clock()))]
}
