import type { BodyOf } from '@sought/contract/call'
import type { RequestFilters } from '@sought/contract/request-filters'
import {
  type changeSavedSearch,
  SAVED_SEARCHES_MAX,
  SEARCH_NAME_MAX_LENGTH,
  type saveSearch as saveSearchCall,
} from '@sought/contract/saved-searches'
import { refuse } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../database/database.ts'
import type { User } from '../../../http/session.ts'
import { lockOwnAccount } from '../../identity/accounts/profile.ts'
import { locateNear } from '../places/actions.ts'
import { buildIndex } from './build-index.ts'
import type { SavedSearch } from './queries.ts'
import * as queries from './queries.ts'

export { deleteSearchesOf } from './queries.ts'

type Owner = Pick<User, 'id'>

export async function searchesOf(db: Db, { id }: Owner) {
  const searches = await queries.findSearches(db, id)
  return searches.map(asSavedSearch)
}

function asSavedSearch({ id, name, filters, alerts, createdAt }: SavedSearch) {
  return { id, name, filters, alerts, createdAt }
}

/**
 * Refuses a place that the gazetteer does not have. Called before a transaction, because none may wait for the
 * gazetteer.
 */
export async function checkPlace(filters: RequestFilters | undefined): Promise<void> {
  if (filters?.near) await locateNear(filters.near)
}

export async function saveSearch(tx: Tx, form: BodyOf<typeof saveSearchCall>, { id: userId }: Owner) {
  // The lock makes concurrent saves respect the limit.
  await lockOwnAccount(tx, userId)
  if ((await queries.countSearches(tx, userId)) >= SAVED_SEARCHES_MAX) throw refuse('too_many_saved_searches')
  const { filters, alerts, name = nameOf(filters) } = form
  const saved = await queries.insertSearch(tx, {
    userId,
    name,
    filters,
    alerts,
    ...(await buildIndex(tx, filters)),
  })
  return asSavedSearch(saved)
}

/** Such as 'brass lamp · Music'. */
function nameOf({ search, category, urgency, location, near }: RequestFilters): string {
  const urgent = urgency && { low: 'Low urgency', medium: 'Medium urgency', high: 'Urgent' }[urgency]
  const name = [search, category, location, near, urgent].filter(Boolean).join(' · ')
  return name.slice(0, SEARCH_NAME_MAX_LENGTH) || 'My search'
}

/** Saved searches are private: for other users they do not exist. */
export async function changeSearch(
  tx: Tx,
  id: number,
  { name, filters, alerts }: BodyOf<typeof changeSavedSearch>,
  { id: userId }: Owner,
) {
  if (alerts === 'off') await queries.deletePendingAlerts(tx, { id, userId })
  const changed = await queries.updateSearch(
    tx,
    { id, userId },
    {
      ...(name && { name }),
      ...(filters && { filters, ...(await buildIndex(tx, filters)) }),
      ...(alerts && { alerts }),
    },
  )
  if (!changed) throw refuse('saved_search_not_found')
  return asSavedSearch(changed)
}

export async function deleteSearch(tx: Tx, id: number, { id: userId }: Owner) {
  if (!(await queries.deleteSavedSearch(tx, { id, userId }))) throw refuse('saved_search_not_found')
  return { ok: true as const }
}
