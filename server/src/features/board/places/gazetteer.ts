import { deserialize } from 'node:v8'
import type { Point } from '@sought/contract/request-filters'
import { readStoredGazetteer } from './stored-gazetteer.ts'
import { lowerBound, type TextTable, textAt } from './text-table.ts'

/*
 * The gazetteer (ADR 61): GeoNames' places with at least 500 people, from an npm package. As objects it would take 250
 * MB of memory, so it is kept in arrays of bytes and numbers, which take 11 MB.
 */

export interface Area {
  /** The state or province, if GeoNames names it. */
  region: string
  country: string
  /** Such as 'DE'. */
  countryCode: string
  /** Folded codes and names that may follow the place's name after a comma. */
  qualifiers: readonly string[]
}

export interface Place extends Point, Area {
  name: string
}

/** Places are numbered by size, largest first. */
export interface Gazetteer {
  areas: readonly Area[]
  placeNames: TextTable
  placeAreas: Uint16Array<ArrayBuffer>
  /** In steps of 0.00001 degrees, like in GeoNames. */
  latitudes: Int32Array<ArrayBuffer>
  longitudes: Int32Array<ArrayBuffer>
  /** All names of all places, folded and sorted. */
  names: TextTable
  /** For each name, the number of its place. */
  namedPlaces: Uint32Array<ArrayBuffer>
  /** 1 if the name is the place's own name in the gazetteer, 0 if it is in another language. */
  isOwnName: Uint8Array<ArrayBuffer>
}

export const STEPS_PER_DEGREE = 100_000

/** Sorts after every letter that can continue a name. */
const AFTER_ALL_LETTERS = '\u{10ffff}'

let loading: Promise<Gazetteer> | undefined

/** Reads the gazetteer if it has not been read yet. */
export function loadGazetteer(): Promise<Gazetteer> {
  loading ??= readStoredGazetteer().then(deserialize, (error) => {
    loading = undefined
    throw error
  })
  return loading
}

/** The places with exactly this name, in any language, the largest first. */
export async function findPlacesNamed(name: string): Promise<Place[]> {
  const gazetteer = await loadGazetteer()
  const { names, namedPlaces } = gazetteer
  const found = namedPlaces.slice(lowerBound(names, name), lowerBound(names, `${name}\0`))
  return [...found.sort()].map((place) => placeAt(gazetteer, place))
}

/** The largest places whose own name starts with the text, or that have exactly this name in another language. */
export async function findPlacesStarting(start: string, limit: number): Promise<Place[]> {
  const gazetteer = await loadGazetteer()
  const { names, namedPlaces, isOwnName } = gazetteer
  const [first, end] = [lowerBound(names, start), lowerBound(names, start + AFTER_ALL_LETTERS)]
  const longer = lowerBound(names, `${start}\0`)
  const found = namedPlaces
    .subarray(first, end)
    .filter((_, at) => first + at < longer || isOwnName[first + at] === 1)
    .sort()
  return [...new Set(found)].slice(0, limit).map((place) => placeAt(gazetteer, place))
}

function placeAt({ areas, placeNames, placeAreas, latitudes, longitudes }: Gazetteer, at: number): Place {
  const area = areas[placeAreas[at] ?? -1]
  const [latitude, longitude] = [latitudes[at], longitudes[at]]
  if (!area || latitude === undefined || longitude === undefined) throw new Error(`there is no place ${at}`)
  return {
    name: textAt(placeNames, at),
    latitude: latitude / STEPS_PER_DEGREE,
    longitude: longitude / STEPS_PER_DEGREE,
    ...area,
  }
}
