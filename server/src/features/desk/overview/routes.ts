import * as calls from '@sought/contract/overview'
import { on, type Route } from '../../../http/route.ts'
import type { Services } from '../../../services.ts'
import { readOverview } from './actions.ts'

export function overviewRoutes({ database, clock }: Services): Route[] {
  return [on(calls.getOverview)(({ user }) => readOverview(database.read, user, clock()))]
}
