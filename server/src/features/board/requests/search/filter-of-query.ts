import type { QueryOf } from '@sought/contract/call'
import { RADIUS_KM_DEFAULT, type RequestFilters } from '@sought/contract/request-filters'
import type { countWantedItems } from '@sought/contract/requests'
import type { Market } from '../../../../database/market-settings.ts'
import type { User } from '../../../../http/session.ts'
import { locateNear } from '../../places/actions.ts'
import type { ItemFilter } from './item-filter.ts'

type Filters = Omit<ItemFilter, 'limit' | 'after' | 'sort' | 'now'>

/** The filters of a list or a count. */
export async function filterOf(
  { mine, ...filters }: QueryOf<typeof countWantedItems>,
  user: User | null,
  now: Date,
  market: Pick<Market, 'currencies'>,
) {
  const located = await locateFilters({ ...filters, currency: findCurrency(filters, market) })
  return { ...located, notOf: mine === 'hide' ? user?.id : undefined, now }
}

/** Amounts can only be compared in one currency. If the market has one, all requests are in it. */
function findCurrency(
  { currency, minBudget, maxBudget, sort }: RequestFilters,
  { currencies: [first, ...others] }: Pick<Market, 'currencies'>,
) {
  if (others.length === 0 && currency === first) return undefined
  const isByAmount = minBudget !== undefined || maxBudget !== undefined || sort === 'budget'
  return currency ?? (isByAmount && others.length > 0 ? first : undefined)
}

/** The filters with `near` as an area. Refuses a place that the gazetteer does not have. */
export async function locateFilters(filters: RequestFilters): Promise<Filters> {
  const { search, category, urgency, currency, minBudget, maxBudget, location, since, hasImage } = filters
  const { near, radiusKm = RADIUS_KM_DEFAULT } = filters
  const area = near === undefined ? undefined : { ...(await locateNear(near)), radiusKm }
  return { search, category, urgency, currency, minBudget, maxBudget, location, area, since, hasImage }
}
