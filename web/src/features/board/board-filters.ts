import { categorySlug, findCategory } from '@sought/contract/categories'
import { BOARD_FILTERS, type BoardFilters } from '@sought/contract/paths'

/** The filters in an address. A form without JavaScript also sends its empty fields. */
export function readFilters(query: URLSearchParams, categories: readonly string[]): BoardFilters {
  const given = BOARD_FILTERS.map((name) => [name, query.get(name)?.trim()]).filter(([, value]) => value)
  const { category, ...others }: BoardFilters = Object.fromEntries(given)
  if (!category) return others
  return { ...others, category: findCategory(categories, categorySlug(category)) ?? category }
}
