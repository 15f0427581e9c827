import { type Point, parsePoint } from '@sought/contract/request-filters'
import { refuse } from '../../platform/errors.ts'
import { findPlaces, fold, type Place } from './gazetteer.ts'

const SUGGESTIONS_MAX = 8

/** The point of a `near` filter. Refuses places that the gazetteer does not have. */
export async function locateNear(near: string): Promise<Point> {
  const point = parsePoint(near) ?? (await findPlace(near.split(',')))
  if (!point) throw refuse('invalid', { issues: [{ path: 'near', message: 'We do not know this place' }] })
  return { latitude: point.latitude, longitude: point.longitude }
}

/**
 * The point of a location that a user wrote, if it names a place: 'Leeds', 'Paris, Texas', or 'Shoreditch, London', of
 * which only the second part is known.
 */
export async function locateText(location: string): Promise<{ x: number; y: number } | null> {
  const parts = location.split(',')
  const candidates = parts.flatMap((part, at) => [parts.slice(at), [part]])
  for (const candidate of candidates) {
    const place = await findPlace(candidate)
    if (place) return { x: place.longitude, y: place.latitude }
  }
  return null
}

/**
 * Places whose name starts with the text, the largest first. Names in other languages have to be complete. Areas may
 * follow after commas.
 */
export async function suggestPlaces(search: string) {
  const [name = '', ...areas] = search.split(',').map(fold)
  if (!name) return []
  const given = areas.filter(Boolean)
  const canContinue = given.length === 0
  // The last area may be incomplete, so it only has to start like one.
  const last = given.pop()
  const matches = (it: string, isOwn: boolean) => it === name || (canContinue && isOwn && it.startsWith(name))
  const places = await findPlaces(name, matches, given)
  const matching = last ? places.filter((place) => startsWithAny(place, last)) : places
  return matching.slice(0, SUGGESTIONS_MAX).map(presentPlace)
}

const startsWithAny = ({ qualifiers }: Place, start: string) =>
  [...qualifiers].some((qualifier) => qualifier.startsWith(start))

async function findPlace([name = '', ...areas]: readonly string[]): Promise<Place | undefined> {
  const folded = fold(name)
  if (!folded) return undefined
  const [largest] = await findPlaces(folded, (it) => it === folded, areas.map(fold).filter(Boolean))
  return largest
}

/** With its region and country, so that the name finds this place again. */
function presentPlace({ name, region, country, latitude, longitude }: Place) {
  return { name: [name, region, country].filter(Boolean).join(', '), latitude, longitude }
}
