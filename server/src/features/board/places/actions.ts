import { type Point, parsePoint } from '@sought/contract/request-filters'
import { refuse } from '../../../core/errors.ts'
import { withSignal } from '../../../providers/outgoing.ts'
import { foldName } from './fold-name.ts'
import { findPlacesNamed, findPlacesStarting, type Place } from './gazetteer.ts'

const SUGGESTIONS_MAX = 8
/** How long posting a request waits for the gazetteer. Loading it takes seconds after the start. */
const LOAD_TIMEOUT_MS = 10_000

/** The point of a `near` filter. Refuses places that the gazetteer does not have. */
export async function locateNear(near: string): Promise<Point> {
  const point = parsePoint(near) ?? (await findPlace(near.split(',')))
  if (!point) throw refuse('invalid', { issues: [{ path: 'near', message: 'We do not know this place' }] })
  return { latitude: point.latitude, longitude: point.longitude }
}

interface LocatedPlace {
  place: { x: number; y: number } | null
  country: string | null
}

const NO_PLACE: LocatedPlace = { place: null, country: null }

/** A place as stored with a request. */
export interface Located extends LocatedPlace {
  /** False if the lookup did not run. A sweep does it later. */
  isLocated: boolean
}

/**
 * The place of a request, if the gazetteer is loaded in time. Called outside transactions, which must not
 * wait for it.
 */
export async function locateInTime(
  location: string,
  { locate = locateText, timeoutMs = LOAD_TIMEOUT_MS } = {},
): Promise<Located> {
  try {
    const located = await withSignal(locate(location), AbortSignal.timeout(timeoutMs))
    return { ...located, isLocated: true }
  } catch {
    return { ...NO_PLACE, isLocated: false }
  }
}

/**
 * The point and the country of a location that a user entered, if it names a place: 'Leeds', 'Paris, Texas',
 * or 'Shoreditch, London', where only the second part is known.
 */
export async function locateText(location: string): Promise<LocatedPlace> {
  const parts = location.split(',')
  const candidates = parts.flatMap((part, at) => [parts.slice(at), [part]])
  for (const candidate of candidates) {
    const place = await findPlace(candidate)
    if (place) return { place: { x: place.longitude, y: place.latitude }, country: place.countryCode }
  }
  return NO_PLACE
}

/**
 * Places whose name starts with the text, largest first. Names in other languages have to be complete. Areas
 * may follow after commas, and the last one may be incomplete.
 */
export async function suggestPlaces(search: string) {
  const [name = '', ...areas] = search.split(',').map(foldName)
  if (!name) return []
  const given = areas.filter(Boolean)
  const last = given.pop()
  if (last === undefined) return (await findPlacesStarting(name, SUGGESTIONS_MAX)).map(presentPlace)
  return (await findPlacesNamed(name))
    .filter((place) => isIn(place, given) && place.qualifiers.some((it) => it.startsWith(last)))
    .slice(0, SUGGESTIONS_MAX)
    .map(presentPlace)
}

async function findPlace([name = '', ...areas]: readonly string[]): Promise<Place | undefined> {
  const folded = foldName(name)
  if (!folded) return undefined
  const given = areas.map(foldName).filter(Boolean)
  return (await findPlacesNamed(folded)).find((place) => isIn(place, given))
}

const isIn = ({ qualifiers }: Place, areas: readonly string[]) =>
  areas.every((area) => qualifiers.includes(area))

/** Includes region and country, so that the name finds the same place again. */
function presentPlace({ name, region, country, latitude, longitude }: Place) {
  return { name: [name, region, country].filter(Boolean).join(', '), latitude, longitude }
}
