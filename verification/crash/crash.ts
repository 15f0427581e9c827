import type { Line, Part, Trying } from '../support/part.ts'
import { startOwnPostgres } from '../support/restartable-postgres.ts'
import { withDatabase } from '../support/temporary-database.ts'
import { places } from './crash-points.ts'
import { crashes, runCrashPlaces } from './run-crash-points.ts'
import { runKills } from './run-random-kills.ts'

const TIMES = 50
const RANDOM_KILLS = 200
const KILLS_PER_DATABASE = 25
/** So many pairs of processes at a time: a core is busy while one of them starts. */
const PAIRS = 2

/**
 * Two real processes on one database. One is killed with -9 just before and just after every commit that the money
 * makes and every call of the provider. Beside that two others are killed at random, while their PostgreSQL is stopped at
 * once now and then.
 */
export const crashPoints: Part = async (trying) =>
  (await Promise.all([killEverywhere(trying), killAtRandom(trying)])).flat()

/** Each place so many times; of a small share some of the places, others with every seed. */
async function killEverywhere({ postgresUrl, seed, share }: Trying): Promise<Line[]> {
  const total = Math.max(1, Math.round(crashes.length * TIMES * share))
  const lines = new Map(places.map(({ name }) => [name, emptyLine(`kill -9 around ${name}`)]))
  const inOrder = emptyLine('after these kills, all in order within 30 seconds')
  const rounds = Array.from({ length: Math.ceil(total / crashes.length) }, (_, round) => ({
    seed: seed + round,
    crashes: rotated(crashes, seed + round).slice(0, total - round * crashes.length),
  }))
  const goOn = async () => {
    for (let round = rounds.shift(); round && inOrder.violations.length === 0; round = rounds.shift()) {
      const { crashes: batch, seed: own } = round
      const { stuck, wrong } = await withDatabase(postgresUrl, (databaseUrl) =>
        runCrashPlaces({ databaseUrl, seed: own, crashes: batch }),
      )
      for (const { place } of batch) lineOf(lines, place.name).times++
      for (const [place, why] of stuck) lineOf(lines, place.name).violations.push(why)
      inOrder.times++
      inOrder.violations.push(...wrong)
    }
  }
  await Promise.all(Array.from({ length: PAIRS }, goOn))
  return [...[...lines.values()].filter(({ times }) => times > 0), inOrder]
}

const emptyLine = (what: string): Line => ({ what, times: 0, violations: [] })

function lineOf(lines: Map<string, Line>, name: string): Line {
  const line = lines.get(name)
  if (!line) throw new Error(`there is no place ${name}`)
  return line
}

/** Begins elsewhere each time, so that a small share is not always the same one. */
function rotated<Item>(items: Item[], by: number): Item[] {
  const start = by % items.length
  return [...items.slice(start), ...items.slice(0, start)]
}

async function killAtRandom({ seed, share }: Trying): Promise<Line> {
  const total = Math.max(1, Math.round(RANDOM_KILLS * share))
  const postgres = await startOwnPostgres()
  try {
    let violations: string[] = []
    let times = 0
    while (times < total && violations.length === 0) {
      const kills = Math.min(KILLS_PER_DATABASE, total - times)
      const outcome = await withDatabase(postgres.url, (databaseUrl) =>
        runKills({ databaseUrl, seed: seed + times, kills, stopPostgres: postgres.stopAtOnce }),
      )
      times += kills
      violations = outcome.wrong
    }
    return { what: 'kill -9 of two processes at random, PostgreSQL stopped at once', times, violations }
  } finally {
    await postgres.stop()
  }
}
