import { listAdminDebts, listDebts, waiveDebt } from '@sought/contract/debts'
import { onPages } from '../../../http/next-page-link.ts'
import { on, type Route } from '../../../http/route.ts'
import type { Services } from '../../../services.ts'
import { readDebts } from './actions.ts'
import { readAdminDebts, waive } from './give-up-debts.ts'

export function debtRoutes({ database: { read, transact } }: Services): Route[] {
  return [
    onPages(listDebts)(({ query, user }) => readDebts(read, { userId: user.id }, query)),

    onPages(listAdminDebts)(({ query }) => readAdminDebts(read, query)),

    on(waiveDebt)(({ params, body, user }) => transact((tx) => waive(tx, params.id, body.reason, user))),
  ]
}
