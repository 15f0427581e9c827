import * as calls from '@sought/contract/saved-searches'
import { on, type Route } from '../../../http/route.ts'
import type { Services } from '../../../services.ts'
import { changeSearch, checkPlace, deleteSearch, saveSearch, searchesOf } from './actions.ts'

export function savedSearchRoutes({ database }: Services): Route[] {
  const { transact } = database
  return [
    on(calls.listSavedSearches)(({ user }) => searchesOf(database.read, user)),

    on(calls.saveSearch)(async ({ body, user }) => {
      await checkPlace(body.filters)
      return transact((tx) => saveSearch(tx, body, user))
    }),

    on(calls.changeSavedSearch)(async ({ params, body, user }) => {
      await checkPlace(body.filters)
      return transact((tx) => changeSearch(tx, params.id, body, user))
    }),

    on(calls.deleteSavedSearch)(({ params, user }) => transact((tx) => deleteSearch(tx, params.id, user))),
  ]
}
