import * as calls from '@sought/contract/audit'
import { addNextPageLink } from '../../../http/next-page-link.ts'
import { on, type Route } from '../../../http/route.ts'
import type { Services } from '../../../services.ts'
import { ownAuditLog, searchAuditLog } from './actions.ts'

export function auditRoutes({ database }: Services): Route[] {
  return [
    on(calls.listOwnAuditLog)(async ({ query, user, reply }) => {
      const found = await ownAuditLog(database.read, user, query)
      addNextPageLink(reply, calls.listOwnAuditLog, query, found)
      return found
    }),

    on(calls.listAuditLog)(async ({ query, reply }) => {
      const found = await searchAuditLog(database.read, query)
      addNextPageLink(reply, calls.listAuditLog, query, found)
      return found
    }),
  ]
}
