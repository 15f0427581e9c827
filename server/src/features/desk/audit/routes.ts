import * as calls from '@sought/contract/audit'
import { onPages } from '../../../http/next-page-link.ts'
import type { Route } from '../../../http/route.ts'
import type { Services } from '../../../services.ts'
import { ownAuditLog, searchAuditLog } from './actions.ts'

export function auditRoutes({ database }: Services): Route[] {
  return [
    onPages(calls.listOwnAuditLog)(({ query, user }) => ownAuditLog(database.read, user, query)),

    onPages(calls.listAuditLog)(({ query }) => searchAuditLog(database.read, query)),
  ]
}
