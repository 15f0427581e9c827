import type { RequestFilters } from '@sought/contract/request-filters'
import type { Tx } from '../../../database/database.ts'
import { locateFilters } from '../requests/search/filter-of-query.ts'
import { findTerms, type Term } from '../requests/search/search-terms.ts'

/** The length of the keys that `search_keys` makes from the words of a request. */
const KEY_LENGTH = 10

/**
 * The keys by which a search is found (ADR 64): the words, squares or budgets of the condition that the fewest open
 * requests meet. Refuses a place that the gazetteer does not have.
 */
export async function buildIndex(tx: Tx, filters: RequestFilters) {
  const located = await locateFilters(filters)
  // Leaves out the date, because requests of later days have other marks.
  const { terms } = await findTerms(tx, { ...located, since: undefined, limit: 1, now: tx.now })
  const [rarest] = terms.toSorted(compareRarity)
  const partsOf = (sought: 'text' | 'location') =>
    terms.flatMap(({ kind, part }) => (kind === sought && part !== null ? [part] : []))
  return {
    area: located.area ?? null,
    parts: partsOf('text'),
    locationParts: partsOf('location'),
    keys: rarest ? keysOf(rarest) : [''],
  }
}

/** For equally frequent terms, the longest text comes first. */
function compareRarity(one: Term, other: Term): number {
  if (one.entries !== other.entries) return one.entries < other.entries ? -1 : 1
  return (other.part?.length ?? 0) - (one.part?.length ?? 0)
}

/** A text matches parts of a request's words, a filter matches whole words or marks. */
function keysOf({ part, words }: Term): string[] {
  return part === null ? (words ?? []) : [[...part].slice(0, KEY_LENGTH).join('')]
}
