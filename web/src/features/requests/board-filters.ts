import { BOARD_FILTERS, type BoardFilters } from '@sought/contract/paths'

/** The filters in an address. A form without JavaScript sends its empty fields too. */
export function readFilters(query: URLSearchParams): BoardFilters {
  const given = BOARD_FILTERS.map((name) => [name, query.get(name)?.trim()]).filter(([, value]) => value)
  return Object.fromEntries(given)
}
