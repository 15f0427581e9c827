import { report } from '@sought/contract/reports'
import { countAttempt } from '../../platform/limits.ts'
import { on, type Route } from '../../platform/route.ts'
import type { Services } from '../../platform/services.ts'
import { reportContent } from './actions.ts'

export function reportRoutes({ database, limits }: Services): Route[] {
  return [
    on(report)(async ({ body, user, request }) => {
      await countAttempt(limits, 'reports', user, request)
      await database.transact((tx) => reportContent(tx, body, user))
      return { ok: true }
    }),
  ]
}
