import { calls } from '@sought/contract/calls'
import type { Line, Part } from '../support/part.ts'
import { type Random, seeded } from '../support/random.ts'
import { fuzzCall } from './fuzz-calls.ts'
import { fuzzRenderedTexts } from './fuzz-rendered-texts.ts'
import { fuzzSockets } from './fuzz-sockets.ts'
import { fuzzStoredTexts } from './fuzz-stored-texts.ts'
import { fuzzUrls } from './fuzz-urls.ts'
import { type FuzzWorld, openFuzzWorld } from './fuzz-world.ts'

const REQUESTS_PER_CALL = 3_000
/** From this share on, every call must succeed at least once. */
const LARGE_SHARE = 0.5
/** Some calls are slow on purpose. With a large share, several run concurrently, each in its own world. */
const WORLDS = 3

/** Fuzzing from the contract: random requests to every declared call, by every role. */
export const fuzz: Part = async ({ postgresUrl, seed, share }) => {
  const random = seeded(seed)
  const world = await openFuzzWorld(postgresUrl)
  const others: FuzzWorld[] = []
  try {
    while (share >= LARGE_SHARE && others.length < WORLDS - 1) others.push(await openFuzzWorld(postgresUrl))
    return [
      await fuzzAllCalls([world, ...others], random.split(), share),
      await fuzzAllStoredTexts(world, random.split(), share),
      {
        what: 'hostile texts in CSV exports, emails and page heads',
        ...(await fuzzRenderedTexts(world, { random: random.split(), share })),
      },
      { what: 'URLs with hostile texts', ...(await fuzzUrls(world, { random: random.split(), share })) },
      {
        what: 'malformed HTTP over a socket',
        ...(await fuzzSockets(world, Object.values(calls), { random: random.split(), share })),
      },
    ]
  } finally {
    for (const opened of [world, ...others]) await opened.close()
  }
}

async function fuzzAllCalls(worlds: FuzzWorld[], random: Random, share: number): Promise<Line> {
  const line: Line = { what: 'valid and invalid requests to all calls', times: 0, violations: [] }
  const times = Math.max(1, Math.round(REQUESTS_PER_CALL * share))
  const queue = Object.entries(calls).map(([name, call]) => ({ name, call, seed: random.below(2 ** 31) }))
  const work = async (world: FuzzWorld) => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const outcome = await fuzzCall(world, next.name, next.call, { seed: next.seed, times })
      line.times += outcome.times
      line.violations.push(...outcome.violations)
      if (share >= LARGE_SHARE && outcome.accepted === 0) {
        line.violations.push(`${next.name} never succeeded: only its validation was tested`)
      }
    }
  }
  await Promise.all(worlds.map(work))
  return line
}

async function fuzzAllStoredTexts(world: FuzzWorld, random: Random, share: number): Promise<Line> {
  const line: Line = { what: 'hostile texts in every stored text field', times: 0, violations: [] }
  let stored = 0
  for (const [name, call] of Object.entries(calls)) {
    const outcome = await fuzzStoredTexts(world, name, call, { random: random.split(), share })
    stored += outcome.stored.length
    line.times += outcome.times
    line.violations.push(...outcome.violations)
  }
  if (stored === 0) line.violations.push('no field was found that stores a text')
  return line
}
