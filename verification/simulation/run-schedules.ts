import { setTimeout as wait } from 'node:timers/promises'
import { isUnavailable } from '@sought/server/database/database'
import { sweeps } from '@sought/server/jobs/sweeps'
import { type Counters, createCounters } from '../support/counters.ts'
import { changeMarketSettings } from '../support/market-settings.ts'
import { type Random, seeded } from '../support/random.ts'
import { findLostWrites } from './acknowledged-writes.ts'
import { performStep } from './actions.ts'
import { compareLedgerWithProvider } from './compare-ledger.ts'
import { type InProcessMarket, openInProcessMarket, type SweepName } from './in-process-market.ts'
import { findInvariantViolations } from './invariants.ts'
import { type Acknowledged, describeSchedule, type Outcome } from './market.ts'
import { AMOUNTS, agreeOnOffer, postRequest, SETTINGS } from './open-deal.ts'
import { insertPeople, insertStaff, type Staff } from './people.ts'
import { connectAccount } from './seller-actions.ts'
import type { CrashTrigger } from './simulated-crash.ts'
import { type InProcessSchedule, systemActions } from './system-actions.ts'
import { topUpPlatform } from './top-up-platform.ts'

/*
 * Runs random schedules against two servers inside this process. A round has a dozen concurrent schedules, each
 * with its own deal and users. After the round, everything settles and the invariants are checked. Each round has
 * its own seed, counting up, so a run with that seed starts with that round.
 */

export const SCHEDULES_PER_ROUND = 12
const LEAST_STEPS = 4
const MOST_STEPS = 12
const MINUTE_MS = 60_000
const DAY_MS = 1_440 * MINUTE_MS
const SETTLED_WITHIN_MS = 30_000
const LATEST_CRASH_MS = 600

/** Rounds differ in how many faults are injected. */
const FAULT_RATES = [
  { calls: 0, events: 0 },
  { calls: 0, events: 0.7 },
  { calls: 0.15, events: 0.3 },
  { calls: 0.3, events: 0.5 },
  { calls: 0.1, events: 1 },
]

/** Rounds differ in the currency of the market, with the provider's smallest amount in it. */
const CURRENCIES = [
  ['usd', 50],
  ['usd', 50],
  ['eur', 50],
  ['myr', 200],
] as const

interface Options {
  databaseUrl: string
  /** The seed of the first round. */
  seed: number
  schedules: number
  counters?: Counters
  /** Crashes PostgreSQL and waits until it runs again. Omit if others use it too. */
  crashPostgres?: () => Promise<void>
}

export async function runSchedules(options: Options): Promise<Outcome> {
  const { databaseUrl, seed, schedules, counters = createCounters(), crashPostgres } = options
  await changeMarketSettings(databaseUrl, SETTINGS)
  const market = await openInProcessMarket(databaseUrl, counters)
  try {
    const staff = await insertStaff(market.sql, sessionsOf(market))
    await topUpPlatform(market.sql, market.now())
    const acknowledged: Acknowledged[] = []
    let finished = 0
    let round = seed
    let violations: string[] = []
    // A violation stays in the database, so the first round that finds one must be investigated.
    for (; finished < schedules && violations.length === 0; round++) {
      const size = Math.min(SCHEDULES_PER_ROUND, schedules - finished)
      const found = await runRound(market, staff, seeded(round), size, { acknowledged, crashPostgres })
      if (found.length > 0) violations = [`seed ${round}, a round of ${size}`, ...found]
      finished += size
    }
    if (violations.length === 0)
      violations = await checkAllRounds(market, acknowledged, `seed ${seed}, ${finished} schedules`)
    return { schedules: finished, violations, counters }
  } finally {
    await market.close()
  }
}

/** At the end all rounds are checked once more. */
async function checkAllRounds(
  market: InProcessMarket,
  acknowledged: Acknowledged[],
  about: string,
): Promise<string[]> {
  const found = await findLostWrites(market.sql, acknowledged)
  return found.length > 0 ? [about, ...found] : []
}

const sessionsOf = ({ sessionKeys, now }: InProcessMarket) => ({ sessionKeys, now: now() })

async function runRound(
  market: InProcessMarket,
  staff: Staff,
  random: Random,
  size: number,
  { acknowledged, crashPostgres }: { acknowledged: Acknowledged[]; crashPostgres: Options['crashPostgres'] },
): Promise<string[]> {
  market.beginRound()
  const [currency, leastCents] = random.pick(CURRENCIES)
  market.setCurrency(currency)
  const amounts = AMOUNTS.filter((amount) => amount >= leastCents)
  const schedules = await openSchedules(market, staff, random.split(), { size, currency, amounts })
  const rates = random.pick(FAULT_RATES)
  market.setProviderTimeouts(random.chance(0.2) ? 'short with one retry' : 'short')
  await market.sql.query('update sandbox.delivery_settings set newest_first = $1', [random.chance(0.2)])
  market.faultInjector.start(rates, random.split())
  scheduleCrashes(market, random.split(), { commit: 60, 'provider call': 40, statement: 500 })
  const restarted =
    crashPostgres && random.chance(0.5) ? crashLater(crashPostgres, random.below(LATEST_CRASH_MS)) : null
  await Promise.all(schedules.map(runSchedule))
  await restarted
  await runJobsWithFaults(market, random.split())
  const startMs = performance.now()
  await settle(market, schedules, random)
  const tookMs = performance.now() - startMs

  const own = schedules.flatMap((schedule) => schedule.acknowledged)
  acknowledged.push(...own)
  const found = [
    ...schedules.flatMap(({ violations }) => violations),
    ...(await findInvariantViolations(market.sql, market.now())),
    ...(await findLostWrites(market.sql, own)),
    ...(await compareLedgerWithProvider(market.services())),
    ...(await findLeftJobs(market)),
    ...(tookMs > SETTLED_WITHIN_MS ? [`it took ${Math.round(tookMs)} ms to settle`] : []),
  ]
  return found.length === 0 ? [] : [...found, ...schedules.map(describeSchedule)]
}

/** Half of them start with an accepted offer, so that enough of them reach a payment. */
async function openSchedules(
  market: InProcessMarket,
  { admin, stranger }: Staff,
  random: Random,
  { size, currency, amounts }: { size: number; currency: string; amounts: number[] },
): Promise<InProcessSchedule[]> {
  const people = await insertPeople(market.sql, sessionsOf(market), 2 * size)
  return Promise.all(
    Array.from({ length: size }, async (_, index): Promise<InProcessSchedule> => {
      const own = random.split()
      const [buyer, seller] = [people[2 * index], people[2 * index + 1]]
      if (!buyer || !seller) throw new Error('not enough people')
      const terms = { buyer, seller, stranger, admin, amount: own.pick(amounts), currency }
      const deal = await (own.chance(0.5) ? agreeOnOffer : postRequest)(market, terms)
      const schedule = { market, deal, random: own, acknowledged: [], log: [], violations: [] }
      // Most sellers can be paid from the start, so that payouts happen while faults are injected.
      if (own.chance(0.6)) await connectAccount(schedule)
      return schedule
    }),
  )
}

/** Often one server crashes, or both, at one of the next events. */
function scheduleCrashes(
  market: InProcessMarket,
  random: Random,
  withinEvents: Record<CrashTrigger['at'], number>,
): void {
  for (const server of [0, 1] as const) {
    if (!random.chance(0.45)) continue
    const at = random.pick(['commit', 'commit', 'provider call', 'provider call', 'statement'] as const)
    const when = random.pick(['before', 'after'] as const)
    market.scheduleCrash(server, { at, when, countdown: 1 + random.below(withinEvents[at]) })
    market.counters.count('scheduled crashes', `${when} a ${at}`)
  }
}

async function crashLater(crashPostgres: () => Promise<void>, afterMs: number): Promise<void> {
  await wait(afterMs)
  await crashPostgres()
}

async function runSchedule(schedule: InProcessSchedule): Promise<void> {
  const steps = LEAST_STEPS + schedule.random.below(MOST_STEPS - LEAST_STEPS + 1)
  for (let step = 0; step < steps; step++) {
    await performStep(schedule, systemActions).catch((error) => {
      // The simulation's own queries fail while PostgreSQL restarts.
      if (!isUnavailable(error)) throw error
    })
  }
  schedule.market.counters.count('steps', 'of all schedules', steps)
}

const PASSES_WITH_FAULTS = 2

/**
 * After the users have finished, both servers run all sweeps and jobs concurrently while faults are still injected.
 */
async function runJobsWithFaults(market: InProcessMarket, random: Random): Promise<void> {
  for (let pass = 0; pass < PASSES_WITH_FAULTS; pass++) {
    scheduleCrashes(market, random, { commit: 15, 'provider call': 15, statement: 100 })
    market.moveClock(10 * MINUTE_MS)
    await Promise.all([
      ...(Object.keys(sweeps) as SweepName[]).map(market.sweep),
      market.runJobs({ retries: true }),
      market.runJobs(),
    ])
  }
}

/** Stops all faults and gives the servers time to recover without help. */
async function settle(
  market: InProcessMarket,
  schedules: InProcessSchedule[],
  random: Random,
): Promise<void> {
  market.faultInjector.stop()
  market.setProviderTimeouts('production')
  await market.sql.query('update sandbox.delivery_settings set newest_first = false')
  await market.recover()
  await runUntilStable(market)
  const withoutAccount = await sellersWithoutAccount(market)
  for (const schedule of schedules) {
    if (withoutAccount.has(schedule.deal.seller.id) && random.chance(0.9)) await connectAccount(schedule)
  }
  if (random.chance(0.7)) market.moveClock(15 * DAY_MS)
  await runUntilStable(market)
  await market.tidyUp()
}

/** Sellers who are owed money and cannot receive transfers. */
async function sellersWithoutAccount({ sql }: InProcessMarket): Promise<Set<string>> {
  const { rows } = await sql.query<{ id: string }>(
    `select distinct o.seller_id as id from payouts o
     join users u on u.id = o.seller_id
     left join sandbox.objects a on a.id = u.stripe_connect_account_id
     where o.status = 'owed' and a.body -> 'capabilities' ->> 'transfers' is distinct from 'active'`,
  )
  return new Set(rows.map(({ id }) => id))
}

const MAX_PASSES = 12

/**
 * Runs the sweeps and jobs until nothing changes. Retries are delayed by at most an hour, so all are due at first.
 */
async function runUntilStable(market: InProcessMarket): Promise<void> {
  let before = ''
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    market.moveClock((pass === 0 ? 120 : 10) * MINUTE_MS)
    await market.flushWebhooks()
    let done = true
    for (const name of Object.keys(sweeps) as SweepName[]) done = (await market.sweep(name)) && done
    done = (await market.runJobs({ retries: true })) && done
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
      (select count(*) from ledger_entries) as entries,
      (select count(*) from webhook_events where status = 'parked') as parked,
      (select count(*) from graphile_worker.jobs) as jobs`)
  return JSON.stringify(rows)
}

/** After tidying up not even failed jobs are left. */
async function findLeftJobs({ sql }: InProcessMarket): Promise<string[]> {
  const { rows } = await sql.query(
    'select task_identifier as task, last_error as error from graphile_worker.jobs',
  )
  return rows.map(({ task, error }) => `job ${task} was left behind: ${error}`)
}
