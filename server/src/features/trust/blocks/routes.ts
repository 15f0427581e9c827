import { block, listBlocks, unblock } from '@sought/contract/reports'
import { on, type Route } from '../../../http/route.ts'
import type { Services } from '../../../services.ts'
import { blockPerson, blocksOf, unblockPerson } from './actions.ts'

export function blockRoutes({ database }: Services): Route[] {
  const { read, transact } = database
  return [
    on(listBlocks)(({ user }) => blocksOf(read, user)),

    on(block)(({ params, user }) => transact((tx) => blockPerson(tx, params.userId, user))),

    on(unblock)(({ params, user }) => transact((tx) => unblockPerson(tx, params.userId, user))),
  ]
}
