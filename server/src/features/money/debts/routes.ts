import { listDebts } from '@sought/contract/debts'
import { onPages } from '../../../http/next-page-link.ts'
import type { Route } from '../../../http/route.ts'
import type { Services } from '../../../services.ts'
import { readDebts } from './actions.ts'

export function debtRoutes({ database }: Services): Route[] {
  return [onPages(listDebts)(({ query, user }) => readDebts(database.read, user.id, query))]
}
