import { settleAlone } from '../simulation/await-recovery.ts'
import type { Promised } from '../simulation/market.ts'
import { AMOUNTS } from '../simulation/open-deal.ts'
import { type Crew, enlist, hire } from '../simulation/people.ts'
import { openProcesses, type ProcessMarket } from '../simulation/process-market.ts'
import { type Random, seeded } from '../support/random.ts'
import type { CrashPlace } from '../support/server-process-preload.ts'
import { type Place, places } from './crash-points.ts'
import type { Telling } from './scenarios.ts'

/*
 * Tells the story of each place to two processes, of which whichever gets there first is killed with -9 exactly
 * there. The story has to come to its end all the same, and in the end everything has to be in order.
 */

/** Both sides of a place. */
const SIDES = ['before', 'after'] as const
/** A story that goes by without getting there, because the other server did it earlier, is told again. */
const MOST_TELLINGS = 4
/** From here a third of an amount, and half of it, are amounts that can be refunded. */
const LEAST_CENTS = 100

export interface Crash {
  place: Place
  when: CrashPlace['when']
}

export const crashes: Crash[] = places.flatMap((place) => SIDES.map((when) => ({ place, when })))

interface Options {
  databaseUrl: string
  seed: number
  crashes: Crash[]
}

export interface CrashOutcome {
  /** The places that a story did not get past, and why. */
  stuck: Map<Place, string>
  /** What was not in order in the end, with the seed that leads there again; empty if all was. */
  wrong: string[]
}

export async function runCrashPlaces({ databaseUrl, seed, crashes }: Options): Promise<CrashOutcome> {
  const random = seeded(seed)
  const market = await openProcesses(databaseUrl)
  const promised: Promised[] = []
  const wrong: string[] = []
  const stuck = new Map<Place, string>()
  try {
    const crew = await hire(market.sql, madeAt(market))
    for (const crash of crashes) {
      // One is enough: that the other is still starting makes it no easier.
      await market.ready()
      const telling = { market, promised, wrong }
      await tellUntilItDies(telling, crew, crash, random.split()).catch((error) => {
        stuck.set(
          crash.place,
          `seed ${seed}, ${nameOf(crash)}: ${error instanceof Error ? error.message : error}`,
        )
      })
    }
    await Promise.all(market.servers.map((server) => server.ready()))
    wrong.push(...(await settleAlone(market, promised)))
    const said = market.servers.map((server) => server.output())
    const about = `seed ${seed}, killed ${crashes.map(nameOf).join(', ')}`
    return { stuck, wrong: wrong.length > 0 ? [about, ...wrong, ...said] : [] }
  } finally {
    await market.close()
  }
}

const nameOf = ({ place, when }: Crash) => `${when} ${place.name}`

const madeAt = ({ services, now }: ProcessMarket) => ({
  sessionSecret: services.secrets.sessionSecret,
  now: now(),
})

async function tellUntilItDies(
  telling: Omit<Telling, 'terms'>,
  crew: Crew,
  crash: Crash,
  random: Random,
): Promise<void> {
  const market = telling.market as ProcessMarket
  for (let told = 0; told < MOST_TELLINGS; told++) {
    const [buyer, seller] = await enlist(market.sql, madeAt(market), 2)
    if (!buyer || !seller) throw new Error('nobody was written down')
    const amount = random.pick(AMOUNTS.filter((it) => it >= LEAST_CENTS))
    const struck = strike(market, crash)
    await crash.place.story({ ...telling, terms: { ...crew, buyer, seller, amount } })
    if (await struck()) return
  }
  throw new Error(`nobody got there in ${MOST_TELLINGS} tellings`)
}

/** Aims at both; the first to get there dies, and is started again, while the other is spared. */
function strike({ servers, tally }: ProcessMarket, { place, when }: Crash): () => Promise<boolean> {
  const { at, fits } = place
  let died = false
  for (const server of servers) {
    server.tell({ aim: { at, fits, when } })
    server.whenItDies(() => {
      died = true
      for (const other of servers) other.tell({ aim: null })
      tally.count('killed', nameOf({ place, when }))
      server.start()
      void server.ready().catch(() => {})
    })
  }
  return async () => {
    for (const server of servers) server.tell({ aim: null })
    return died
  }
}
