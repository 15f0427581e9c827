import { checkLedger } from '../../src/features/payments/ledger-check.ts'
import { sweeps } from '../../src/jobs/sweeps.ts'
import { AMOUNTS, agree } from './agree.ts'
import { compareBooks } from './books.ts'
import { actOnce, connect } from './deeds.ts'
import { type InProcessMarket, openInProcess, type SweepName } from './in-process.ts'
import { type InsideScene, inside } from './inside-deeds.ts'
import { violations } from './invariants.ts'
import { type Promised, type Somebody, storyOf } from './market.ts'
import type { Outcome } from './outcome.ts'
import { brokenPromises } from './promises.ts'
import { type Random, seeded } from './random.ts'
import { createTally } from './tally.ts'

/*
 * Plays random sequences against a market inside this process. A round is a handful of sequences at the same
 * time, each with a deal of its own; then everything is left to settle, and what must be true is looked for.
 */

const PER_ROUND = 12
const LEAST_STEPS = 4
const MOST_STEPS = 12
const BUYERS = 4
const MINUTE_MS = 60_000
const DAY_MS = 1_440 * MINUTE_MS

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
  seed: number
  sequences: number
}

export async function runSequences({ databaseUrl, seed, sequences }: Options): Promise<Outcome> {
  const tally = createTally()
  const market = await openInProcess(databaseUrl, tally)
  try {
    const random = seeded(seed)
    const crew = await hire(market)
    const promised: Promised[] = []
    let played = 0
    let wrong: string[] = []
    // What is wrong stays wrong: the first round that finds something is the one to look at.
    while (played < sequences && wrong.length === 0) {
      const size = Math.min(PER_ROUND, sequences - played)
      wrong = await playRound(market, crew, random.split(), size, promised)
      played += size
    }
    if (wrong.length === 0) wrong = await compareBooks(market.services)
    await countEnds(market)
    const about = `seed ${seed}, within the first ${played} sequences`
    return { sequences: played, wrong: wrong.length > 0 ? [about, ...wrong] : [], tally }
  } finally {
    await market.close()
  }
}

interface Crew {
  admin: Somebody
  stranger: Somebody
  buyers: Somebody[]
}

/** Those who take part in every round; sellers are new each time. */
async function hire(market: InProcessMarket): Promise<Crew> {
  const [admin, stranger] = [await market.signUp(), await market.signUp()]
  await market.sql.query('insert into admins (user_id) values ($1)', [admin.id])
  return { admin, stranger, buyers: await Promise.all(Array.from({ length: BUYERS }, market.signUp)) }
}

async function playRound(
  market: InProcessMarket,
  crew: Crew,
  random: Random,
  size: number,
  promised: Promised[],
): Promise<string[]> {
  await market.beginRound()
  const scenes: InsideScene[] = []
  while (scenes.length < size) scenes.push(await openScene(market, crew, random.split()))
  const rates = random.pick(TROUBLE)
  market.havePatience(random.chance(0.2) ? 'little, and one more try' : 'little')
  market.trouble.begin(rates, random.split())
  await Promise.all(scenes.map(play))
  await settle(market, scenes, random)

  promised.push(...scenes.flatMap((scene) => scene.promised))
  const found = [
    ...scenes.flatMap(({ wrong }) => wrong),
    ...(await violations(market.sql, market.now())),
    ...(await brokenPromises(market.sql, promised)),
    ...(await checkLedger(market.services.database.read, null)).problems,
    ...(await jobsLeft(market)),
  ]
  return found.length === 0 ? [] : [...found, ...scenes.map(storyOf)]
}

async function openScene(
  market: InProcessMarket,
  { admin, stranger, buyers }: Crew,
  random: Random,
): Promise<InsideScene> {
  const buyer = random.pick(buyers)
  const seller = await market.signUp()
  const amount = random.pick(AMOUNTS)
  const deal = await agree(market, { buyer, seller, stranger, admin, amount })
  const scene = { market, deal, random, promised: [], story: [], wrong: [] }
  // Most sellers can be paid from the beginning, so that there is something to pay out while things go wrong.
  if (random.chance(0.6)) await connect(scene)
  return scene
}

async function play(scene: InsideScene): Promise<void> {
  const steps = LEAST_STEPS + scene.random.below(MOST_STEPS - LEAST_STEPS + 1)
  for (let step = 0; step < steps; step++) await actOnce(scene, inside)
  scene.market.tally.count('moments', 'of all sequences', steps)
}

/** Nothing goes wrong any more, and everything gets the time that it needs. Nobody lends a hand. */
async function settle(market: InProcessMarket, scenes: InsideScene[], random: Random): Promise<void> {
  market.trouble.end()
  market.havePatience('as always')
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
    union all select 'payouts', concat_ws(' ', status, method), count(*)::int from payouts group by status, method`)
  for (const { what, status, times } of rows) tally.count(`${what} at the end`, status, times)
}
