import { setTimeout as wait } from 'node:timers/promises'
import { isUnavailable } from '@sought/server/platform/database'
import { actOnce, connect } from '../simulation/actions.ts'
import { settleAlone } from '../simulation/await-recovery.ts'
import { type Scene, storyOf } from '../simulation/market.ts'
import { AMOUNTS, agree, ask } from '../simulation/open-deal.ts'
import type { Outcome } from '../simulation/outcome.ts'
import { type Crew, enlist, hire } from '../simulation/people.ts'
import { openProcesses, type ProcessMarket } from '../simulation/process-market.ts'
import { type Random, seeded } from '../support/random.ts'
import type { KillableServer } from '../support/server-process.ts'

/*
 * Plays random schedules against two processes, and kills one or the other with -9 again and again: at any moment, a
 * few milliseconds after a call was sent or answered, and while it starts. PostgreSQL may be stopped at once, too.
 * After the last start they have half a minute to put everything right by themselves.
 */

const LANES = 3
const STEPS = 12
/** Long enough to begin something, and for a job to be in the middle of it. */
const AIM_MS = 50
const MINUTE_MS = 60_000
const DAY_MS = 1_440 * MINUTE_MS

interface Options {
  databaseUrl: string
  seed: number
  kills: number
  /** Stops PostgreSQL without a word and waits until it is back. Leave out where others use it too. */
  stopPostgres?: () => Promise<void>
}

export async function runKills({ databaseUrl, seed, kills, stopPostgres }: Options): Promise<Outcome> {
  const random = seeded(seed)
  const market = await openProcesses(databaseUrl)
  const scenes: Scene[] = []
  try {
    const crew = await hire(market.sql, madeAt(market))
    let over = false
    const lanes = Array.from({ length: LANES }, () =>
      playOn(market, crew, random.split(), scenes, () => over),
    )
    const killed = killAgainAndAgain(market, random.split(), kills, stopPostgres).finally(() => {
      over = true
    })
    await Promise.all([killed, ...lanes])
    const promised = scenes.flatMap((scene) => scene.promised)
    const wrong = [...scenes.flatMap((scene) => scene.wrong), ...(await settleAlone(market, promised))]
    const about = [`seed ${seed}, ${kills} kills`, ...wrong, ...involved(scenes, wrong).map(storyOf)]
    const said = market.servers.map((server) => server.output())
    return {
      sequences: scenes.length,
      wrong: wrong.length > 0 ? [...about, ...said] : [],
      tally: market.tally,
    }
  } finally {
    await market.close()
  }
}

function involved(scenes: Scene[], wrong: string[]): Scene[] {
  return scenes.filter(({ deal, wrong: own }) => {
    const named = new RegExp(
      `payment ${deal.paymentId}\\b|"paymentId":${deal.paymentId}\\b|request ${deal.itemId}\\b`,
    )
    const people = [deal.buyer.id, deal.seller.id]
    return own.length > 0 || wrong.some((line) => named.test(line) || people.some((id) => line.includes(id)))
  })
}

const madeAt = ({ services, now }: ProcessMarket) => ({
  sessionSecret: services.secrets.sessionSecret,
  now: now(),
})

/** One deal after another. While the servers are dead people mostly wait, as they would. */
async function playOn(
  market: ProcessMarket,
  crew: Crew,
  random: Random,
  scenes: Scene[],
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    const scene = await openScene(market, crew, random.split())
    if (!scene) continue
    scenes.push(scene)
    for (let step = 0; step < STEPS && !isOver(); step++) {
      if (!random.chance(0.1)) await market.ready()
      await actOnce(scene).catch((error) => rethrowUnlessOutOfReach(error))
      await wait(random.below(60))
    }
  }
}

/** What the model itself asks of a database that is being stopped is not answered. */
function rethrowUnlessOutOfReach(error: unknown): void {
  if (!isUnavailable(error)) throw error
}

/** Null where nobody was there to make a deal with. */
async function openScene(market: ProcessMarket, crew: Crew, random: Random): Promise<Scene | null> {
  await market.ready()
  const people = await enlist(market.sql, madeAt(market), 2).catch(() => [])
  const [buyer, seller] = people
  if (!buyer || !seller) return null
  const terms = { ...crew, buyer, seller, amount: random.pick(AMOUNTS) }
  const deal = await (random.chance(0.6) ? agree : ask)(market, terms).catch(() => null)
  if (!deal) return null
  const scene: Scene = { market, deal, random, promised: [], story: [], wrong: [] }
  if (random.chance(0.6)) await connect(scene).catch(rethrowUnlessOutOfReach)
  return scene
}

/** How the provider's webhooks go wrong in a life: lost, repeated, late, or the newest first. */
const DELIVERY = ["mode = 'send'", "mode = 'drop'", 'copies = 5', 'delay_seconds = 2', 'newest_first = true']
const USUAL_DELIVERY = "mode = 'send', copies = 1, delay_seconds = 0, newest_first = false"

async function killAgainAndAgain(
  market: ProcessMarket,
  random: Random,
  kills: number,
  stopPostgres: Options['stopPostgres'],
): Promise<void> {
  const { servers, sql, tally } = market
  const deliver = (how: string) => sql.query(`update sandbox.delivery_settings set ${how}`)
  for (let kill = 0; kill < kills; kill++) {
    await deliver(USUAL_DELIVERY)
    await deliver(random.pick(DELIVERY))
    if (random.chance(0.3)) market.turnClock(random.pick([5 * MINUTE_MS, 70 * MINUTE_MS, DAY_MS]))
    const server = random.pick(servers)
    await untilTheMoment(market, random)
    tally.count('kills', 'of a server')
    await server.kill()
    if (stopPostgres && random.chance(0.4)) {
      tally.count('kills', 'of PostgreSQL')
      await stopPostgres()
    }
    if (random.chance(0.15)) {
      tally.count('kills', 'of the other, too')
      await restart(other(servers, server))
    }
    server.start()
    if (random.chance(0.1)) {
      await wait(random.below(1_000))
      tally.count('kills', 'while it started')
      await restart(server)
    }
    await server.ready()
  }
  await Promise.all(servers.map((server) => server.ready()))
  await deliver(USUAL_DELIVERY)
}

const other = ([first, second]: ProcessMarket['servers'], one: KillableServer) =>
  one === first ? second : first

async function restart(server: KillableServer): Promise<void> {
  await server.kill()
  server.start()
  void server.ready().catch(() => {})
}

/** A moment after one of the next calls was sent or answered, or any. */
async function untilTheMoment(market: ProcessMarket, random: Random): Promise<void> {
  if (random.chance(0.3)) return void (await wait(200 + random.below(2_500)))
  let calls = 8 + random.below(60)
  await new Promise<void>((strike) => {
    market.onCall(() => {
      if (--calls > 0) return
      market.onCall(() => {})
      setTimeout(strike, random.below(AIM_MS))
    })
  })
}
