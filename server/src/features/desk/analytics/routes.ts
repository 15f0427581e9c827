import * as calls from '@sought/contract/analytics'
import { on, type Route } from '../../../http/route.ts'
import type { Services } from '../../../services.ts'
import { readAnalytics } from './actions.ts'

export function analyticsRoutes({ database, market }: Services): Route[] {
  return [
    on(calls.getAnalytics)(async ({ query: { currency, ...period } }) =>
      readAnalytics(database.read, period, currency ?? (await market.read()).currencies[0] ?? 'usd'),
    ),
  ]
}
