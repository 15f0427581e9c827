import { RADIUS_KM_DEFAULT, type RequestFilters } from '@sought/contract/request-filters'
import type { Tx } from '../../platform/database.ts'
import { locateNear } from '../places/actions.ts'
import { findTerms } from '../requests/search-terms.ts'

/** The length of the keys that `search_keys` makes from the words of a request. */
const KEY_LENGTH = 10

/**
 * What a search is found by (ADR 64): of the parts that a request must contain, the one that the fewest open requests
 * have, or the longest of those. Refuses a place that the gazetteer does not have.
 */
export async function buildIndex(tx: Tx, { search, location, near, radiusKm }: RequestFilters) {
  const area = near ? { ...(await locateNear(near)), radiusKm: radiusKm ?? RADIUS_KM_DEFAULT } : null
  const terms = await findTerms(tx, { search, location, limit: 1, now: tx.now })
  const parts = terms.flatMap(({ kind, part, entries }) => (part === null ? [] : [{ kind, part, entries }]))
  const [rarest] = parts.toSorted(
    (one, other) => one.entries - other.entries || other.part.length - one.part.length,
  )
  const partsOf = (sought: 'text' | 'location') =>
    parts.filter(({ kind }) => kind === sought).map(({ part }) => part)
  return {
    area,
    parts: partsOf('text'),
    locationParts: partsOf('location'),
    key: [...(rarest?.part ?? '')].slice(0, KEY_LENGTH).join(''),
  }
}
