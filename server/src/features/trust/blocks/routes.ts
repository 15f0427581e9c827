import * as calls from '@sought/contract/reports'
import { on, type Route } from '../../../http/route.ts'
import type { Services } from '../../../services.ts'
import { blockPerson, blocksOf, unblockPerson } from './actions.ts'

export function blockRoutes({ database }: Services): Route[] {
  const { read, transact } = database
  return [
    on(calls.listBlocks)(({ user }) => blocksOf(read, user)),

    on(calls.block)(({ params, user }) => transact((tx) => blockPerson(tx, params.userId, user))),

    on(calls.unblock)(({ params, user }) => transact((tx) => unblockPerson(tx, params.userId, user))),
  ]
}
