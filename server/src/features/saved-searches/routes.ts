import {
  changeSavedSearch,
  deleteSavedSearch,
  listSavedSearches,
  saveSearch as saveSearchCall,
} from '@sought/contract/saved-searches'
import { on, type Route } from '../../platform/route.ts'
import type { Services } from '../../platform/services.ts'
import { changeSearch, deleteSearch, saveSearch, searchesOf } from './actions.ts'

export function savedSearchRoutes({ database }: Services): Route[] {
  const { transact } = database
  return [
    on(listSavedSearches)(({ user }) => searchesOf(database.read, user)),

    on(saveSearchCall)(({ body, user }) => transact((tx) => saveSearch(tx, body, user))),

    on(changeSavedSearch)(({ params, body, user }) =>
      transact((tx) => changeSearch(tx, params.id, body, user)),
    ),

    on(deleteSavedSearch)(({ params, user }) => transact((tx) => deleteSearch(tx, params.id, user))),
  ]
}
