import * as z from 'zod/mini'
import { callsOf } from './call.ts'
import { Currency } from './currency-code.ts'
import { Done, Id, PathId, Timestamp, text } from './fields.ts'
import { RequestFilters, SORTS, Urgency } from './request-filters.ts'

const call = callsOf({ subjects: ['saved-searches'], fresh: 'on open' })

/** The maximum number of saved searches per person. */
export const SAVED_SEARCHES_MAX = 50
export const SEARCH_NAME_MAX_LENGTH = 100

export const ALERT_TIMES = ['immediately', 'daily', 'off'] as const
const AlertTime = z.enum(ALERT_TIMES)
export type AlertTime = z.output<typeof AlertTime>

/** The validated filters. */
const SearchFilters = z.object({
  search: z.optional(z.string()),
  category: z.optional(z.string()),
  urgency: z.optional(Urgency),
  currency: z.optional(Currency),
  minBudget: z.optional(z.number()),
  maxBudget: z.optional(z.number()),
  location: z.optional(z.string()),
  near: z.optional(z.string()),
  radiusKm: z.optional(z.number()),
  since: z.optional(z.string()),
  hasImage: z.optional(z.boolean()),
  sort: z.optional(z.enum(SORTS)),
} satisfies Record<keyof RequestFilters, z.ZodMiniType>)
export type SearchFilters = z.output<typeof SearchFilters>

/** The sort order and the radius alone do not restrict the matches. */
const restricts = ([name, value]: [string, unknown]) =>
  value !== undefined && name !== 'sort' && name !== 'radiusKm'

export const NewFilters = RequestFilters.check(
  z.refine((filters) => Object.entries(filters).some(restricts), 'Please choose at least one filter'),
)

const Name = text(SEARCH_NAME_MAX_LENGTH, 'Name is required')
/** The form to rename a saved search. */
export const SearchName = z.object({ name: Name })

export const SavedSearch = z.object({
  id: Id,
  name: z.string(),
  filters: SearchFilters,
  alerts: AlertTime,
  createdAt: Timestamp,
})
export type SavedSearch = z.output<typeof SavedSearch>

export const listSavedSearches = call({
  method: 'GET',
  path: '/api/saved-searches',
  access: 'user',
  summary: 'Lists the saved searches of the signed-in user, newest first',
  reply: z.array(SavedSearch),
})

export const saveSearch = call({
  method: 'POST',
  path: '/api/saved-searches',
  access: 'user',
  summary: 'Saves a search, to be alerted of new requests that match it',
  body: z.object({
    /** By default, derived from the filters. */
    name: z.optional(Name),
    filters: NewFilters,
    alerts: z._default(AlertTime, 'daily'),
  }),
  reply: SavedSearch,
  status: 201,
  refuses: ['too_many_saved_searches'],
})

const onSearch = { params: z.object({ id: PathId }) }

export const changeSavedSearch = call({
  ...onSearch,
  method: 'PATCH',
  path: '/api/saved-searches/:id',
  access: 'user',
  summary: 'Changes the name, the filters or the alerts of a saved search',
  body: z.object({
    name: z.optional(Name),
    filters: z.optional(NewFilters),
    alerts: z.optional(AlertTime),
  }),
  reply: SavedSearch,
  refuses: ['saved_search_not_found'],
})

export const deleteSavedSearch = call({
  ...onSearch,
  method: 'DELETE',
  path: '/api/saved-searches/:id',
  access: 'user',
  summary: 'Deletes a saved search',
  reply: Done,
  refuses: ['saved_search_not_found'],
})
