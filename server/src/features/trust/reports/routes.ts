import * as calls from '@sought/contract/reports'
import { countAttempt } from '../../../http/limits.ts'
import { on, type Route } from '../../../http/route.ts'
import type { Services } from '../../../services.ts'
import { reportContent } from './actions.ts'

export function reportRoutes({ database, limits }: Services): Route[] {
  return [
    on(calls.report)(async ({ body, user, request }) => {
      await countAttempt(limits, 'reports', user, request)
      await database.transact((tx) => reportContent(tx, body, user))
      return { ok: true }
    }),
  ]
}
