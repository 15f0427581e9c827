import {
  changeSavedSearch,
  deleteSavedSearch,
  listSavedSearches,
  saveSearch as saveSearchCall,
} from '@sought/contract/saved-searches'
import { on, type Route } from '../../../http/route.ts'
import type { Services } from '../../../services.ts'
import { changeSearch, checkPlace, deleteSearch, saveSearch, searchesOf } from './actions.ts'

export function savedSearchRoutes({ database }: Services): Route[] {
  const { transact } = database
  return [
    on(listSavedSearches)(({ user }) => searchesOf(database.read, user)),

    on(saveSearchCall)(async ({ body, user }) => {
      await checkPlace(body.filters)
      return transact((tx) => saveSearch(tx, body, user))
    }),

    on(changeSavedSearch)(async ({ params, body, user }) => {
      await checkPlace(body.filters)
      return transact((tx) => changeSearch(tx, params.id, body, user))
    }),

    on(deleteSavedSearch)(({ params, user }) => transact((tx) => deleteSearch(tx, params.id, user))),
  ]
}
