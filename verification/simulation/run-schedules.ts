import { setTimeout as wait } from 'node:timers/promises'
import { checkLedger } from '@sought/server/features/ledger/check-ledger'
import { sweeps } from '@sought/server/jobs/sweeps'
import { isUnavailable } from '@sought/server/platform/database'
import { createTally, type Tally } from '../support/counters.ts'
import { type Random, seeded } from '../support/random.ts'
import { brokenPromises } from './acknowledged-writes.ts'
import { actOnce, connect } from './actions.ts'
import { compareBooks } from './compare-ledger.ts'
import { type InProcessMarket, openInProcess, type SweepName } from './in-process-market.ts'
import { violations } from './invariants.ts'
import { type Promised, storyOf } from './market.ts'
import { AMOUNTS, agree, ask } from './open-deal.ts'
import type { Outcome } from './outcome.ts'
import { type Crew, enlist, hire } from './people.ts'
import type { Aim } from './simulated-crash.ts'
import { type InsideScene, inside } from './system-actions.ts'

/*
 * Plays random schedules against two servers inside this process. A round is a handful of schedules at the same
 * time, each with people and a deal of its own; then everything is left to settle, and what must be true is
 * looked for. Every round has a seed of its own, the next number: begun with it, a run begins with that round.
 */

export const PER_ROUND = 12
const LEAST_STEPS = 4
const MOST_STEPS = 12
const MINUTE_MS = 60_000
const DAY_MS = 1_440 * MINUTE_MS
const SETTLED_WITHIN_MS = 30_000
const LATEST_STOP_MS = 600

/** Rounds differ in how much goes wrong. */
const TROUBLE = [
  { calls: 0, events: 0 },
  { calls: 0, events: 0.7 },
  { calls: 0.15, events: 0.3 },
  { calls: 0.3, events: 0.5 },
  { calls: 0.1, events: 1 },
]

interface Options {
  databaseUrl: string
  /** The first round's. */
  seed: number
  schedules: number
  tally?: Tally
  /** Stops PostgreSQL without a word and waits until it is back. Leave out where others use it too. */
  stopPostgres?: () => Promise<void>
}

export async function runSchedules(options: Options): Promise<Outcome> {
  const { databaseUrl, seed, schedules, tally = createTally(), stopPostgres } = options
  const market = await openInProcess(databaseUrl, tally)
  try {
    const crew = await hire(market.sql, madeAt(market))
    const promised: Promised[] = []
    let played = 0
    let round = seed
    let wrong: string[] = []
    // What is wrong stays wrong: the first round that finds something is the one to look at.
    for (; played < schedules && wrong.length === 0; round++) {
      const size = Math.min(PER_ROUND, schedules - played)
      const found = await playRound(market, crew, seeded(round), size, { promised, stopPostgres })
      if (found.length > 0) wrong = [`seed ${round}, a round of ${size}`, ...found]
      played += size
    }
    if (wrong.length === 0) wrong = await lookBack(market, promised, `seed ${seed}, ${played} schedules`)
    await countEnds(market)
    return { sequences: played, wrong, tally }
  } finally {
    await market.close()
  }
}

/** In the end all rounds are looked at once more, and the provider is asked about every payment. */
async function lookBack(market: InProcessMarket, promised: Promised[], about: string): Promise<string[]> {
  const found = [...(await brokenPromises(market.sql, promised)), ...(await compareBooks(market.services()))]
  return found.length > 0 ? [about, ...found] : []
}

const madeAt = ({ sessionSecret, now }: InProcessMarket) => ({ sessionSecret, now: now() })

async function playRound(
  market: InProcessMarket,
  crew: Crew,
  random: Random,
  size: number,
  { promised, stopPostgres }: { promised: Promised[]; stopPostgres: Options['stopPostgres'] },
): Promise<string[]> {
  market.beginRound()
  const scenes = await openScenes(market, crew, random.split(), size)
  const rates = random.pick(TROUBLE)
  market.havePatience(random.chance(0.2) ? 'little, and one more try' : 'little')
  await market.sql.query('update sandbox.delivery_settings set newest_first = $1', [random.chance(0.2)])
  market.trouble.begin(rates, random.split())
  aim(market, random.split(), { commit: 60, 'provider call': 40, statement: 500 })
  const stopped =
    stopPostgres && random.chance(0.5) ? stopLater(stopPostgres, random.below(LATEST_STOP_MS)) : null
  await Promise.all(scenes.map(play))
  await stopped
  await workInTrouble(market, random.split())
  const began = performance.now()
  await settle(market, scenes, random)
  const tookMs = performance.now() - began

  const own = scenes.flatMap((scene) => scene.promised)
  promised.push(...own)
  const found = [
    ...scenes.flatMap(({ wrong }) => wrong),
    ...(await violations(market.sql, market.now())),
    ...(await brokenPromises(market.sql, own)),
    ...(await checkLedger(market.services().database.read, null)).problems,
    ...(await jobsLeft(market)),
    ...(tookMs > SETTLED_WITHIN_MS ? [`it took ${Math.round(tookMs)} ms to settle`] : []),
  ]
  return found.length === 0 ? [] : [...found, ...scenes.map(storyOf)]
}

/** Half of them begin with a request, the other half with a deal, so that enough of them get to the money. */
async function openScenes(
  market: InProcessMarket,
  { admin, stranger }: Crew,
  random: Random,
  size: number,
): Promise<InsideScene[]> {
  const people = await enlist(market.sql, madeAt(market), 2 * size)
  return Promise.all(
    Array.from({ length: size }, async (_, index): Promise<InsideScene> => {
      const own = random.split()
      const [buyer, seller] = [people[2 * index], people[2 * index + 1]]
      if (!buyer || !seller) throw new Error('not enough people')
      const terms = { buyer, seller, stranger, admin, amount: own.pick(AMOUNTS) }
      const deal = await (own.chance(0.5) ? agree : ask)(market, terms)
      const scene = { market, deal, random: own, promised: [], story: [], wrong: [] }
      // Most sellers can be paid from the beginning, so that there is something to pay out while things go wrong.
      if (own.chance(0.6)) await connect(scene)
      return scene
    }),
  )
}

/** Often one server dies, or both, at a moment that chance picks: one of the next so many. */
function aim(market: InProcessMarket, random: Random, most: Record<Aim['at'], number>): void {
  for (const server of [0, 1] as const) {
    if (!random.chance(0.45)) continue
    const at = random.pick(['commit', 'commit', 'provider call', 'provider call', 'statement'] as const)
    const when = random.pick(['before', 'after'] as const)
    market.aimAt(server, { at, when, countdown: 1 + random.below(most[at]) })
    market.tally.count('aimed', `${when} a ${at}`)
  }
}

async function stopLater(stopPostgres: () => Promise<void>, afterMs: number): Promise<void> {
  await wait(afterMs)
  await stopPostgres()
}

async function play(scene: InsideScene): Promise<void> {
  const steps = LEAST_STEPS + scene.random.below(MOST_STEPS - LEAST_STEPS + 1)
  for (let step = 0; step < steps; step++) {
    await actOnce(scene, inside).catch((error) => {
      // What the model itself asks of a database that is being stopped is not answered.
      if (!isUnavailable(error)) throw error
    })
  }
  scene.market.tally.count('moments', 'of all schedules', steps)
}

const TURNS_IN_TROUBLE = 2

/** The people rest, and both servers do what is left to be done, all at once, while everything still goes wrong. */
async function workInTrouble(market: InProcessMarket, random: Random): Promise<void> {
  for (let turn = 0; turn < TURNS_IN_TROUBLE; turn++) {
    aim(market, random, { commit: 15, 'provider call': 15, statement: 100 })
    market.turnClock(10 * MINUTE_MS)
    await Promise.all([
      ...(Object.keys(sweeps) as SweepName[]).map(market.sweep),
      market.runJobs({ overdue: true }),
      market.runJobs(),
    ])
  }
}

/** Nothing goes wrong any more, and everything gets the time that it needs. Nobody lends a hand. */
async function settle(market: InProcessMarket, scenes: InsideScene[], random: Random): Promise<void> {
  market.trouble.end()
  market.havePatience('as always')
  await market.sql.query('update sandbox.delivery_settings set newest_first = false')
  await market.recover()
  await untilStill(market)
  const unready = await unreadySellers(market)
  for (const scene of scenes) {
    if (unready.has(scene.deal.seller.id) && random.chance(0.9)) await connect(scene)
  }
  if (random.chance(0.7)) market.turnClock(15 * DAY_MS)
  await untilStill(market)
  await market.tidyUp()
}

/** Those to whom nothing can be sent yet. */
async function unreadySellers({ sql }: InProcessMarket): Promise<Set<string>> {
  const { rows } = await sql.query<{ id: string }>(
    `select distinct o.seller_id as id from payouts o
     join users u on u.id = o.seller_id
     left join sandbox.objects a on a.id = u.stripe_connect_account_id
     where o.status = 'owed' and a.body -> 'capabilities' ->> 'transfers' is distinct from 'active'`,
  )
  return new Set(rows.map(({ id }) => id))
}

const MOST_TURNS = 12

/**
 * The sweeps and the jobs run until nothing changes any more. Whatever was put off was put off for an hour at the
 * most, so that all of it is due at first.
 */
async function untilStill(market: InProcessMarket): Promise<void> {
  let before = ''
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    market.turnClock((turn === 0 ? 120 : 10) * MINUTE_MS)
    await market.letArrive()
    let done = true
    for (const name of Object.keys(sweeps) as SweepName[]) done = (await market.sweep(name)) && done
    done = (await market.runJobs({ overdue: true })) && done
    const after = await stateOf(market)
    if (done && after === before) return
    before = after
  }
}

async function stateOf({ sql }: InProcessMarket): Promise<string> {
  const { rows } = await sql.query(`
    select
      (select string_agg(concat_ws(' ', id, status, refunded_at), ',' order by id) from payments) as payments,
      (select string_agg(concat_ws(' ', id, status, method), ',' order by id) from payouts) as payouts,
      (select count(*) from webhook_events where status = 'parked') as parked,
      (select count(*) from graphile_worker.jobs) as jobs`)
  return JSON.stringify(rows)
}

/** Once it was tidied up not even a dead job is left. */
async function jobsLeft({ sql }: InProcessMarket): Promise<string[]> {
  const { rows } = await sql.query(
    'select task_identifier as task, last_error as error from graphile_worker.jobs',
  )
  return rows.map(({ task, error }) => `job ${task} was left behind: ${error}`)
}

async function countEnds({ sql, tally }: InProcessMarket): Promise<void> {
  const { rows } = await sql.query(`
    select 'payments' as what, status, count(*)::int as times from payments group by status
    union all select 'offers', status, count(*)::int from offers group by status
    union all select 'requests', status, count(*)::int from wanted_items group by status
    union all select 'people', case when deleted_at is null then 'here' else 'gone' end, count(*)::int from users group by 2
    union all select 'payouts', concat_ws(' ', status, method), count(*)::int from payouts group by status, method`)
  for (const { what, status, times } of rows) tally.count(`${what} at the end`, status, times)
}
