import * as calls from '@sought/contract/analytics'
import { on, type Route } from '../../../http/route.ts'
import type { Services } from '../../../services.ts'
import { readAnalytics } from './actions.ts'

export function analyticsRoutes({ database }: Services): Route[] {
  return [on(calls.getAnalytics)(({ query }) => readAnalytics(database.read, query))]
}
