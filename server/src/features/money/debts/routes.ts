import { listDebts } from '@sought/contract/debts'
import { addNextPageLink } from '../../../http/next-page-link.ts'
import { on, type Route } from '../../../http/route.ts'
import type { Services } from '../../../services.ts'
import { readDebts } from './actions.ts'

export function debtRoutes({ database }: Services): Route[] {
  return [
    on(listDebts)(async ({ query, user, reply }) => {
      const debts = await readDebts(database.read, user.id, query)
      addNextPageLink(reply, listDebts, query, debts)
      return debts
    }),
  ]
}
