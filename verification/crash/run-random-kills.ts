import { setTimeout as wait } from 'node:timers/promises'
import { isUnavailable } from '@sought/server/database/database'
import { performStep } from '../simulation/actions.ts'
import { awaitRecovery } from '../simulation/await-recovery.ts'
import { describeSchedule, type Outcome, type Schedule } from '../simulation/market.ts'
import { AMOUNTS, agreeOnOffer, postRequest } from '../simulation/open-deal.ts'
import { insertPeople, insertStaff, type Staff } from '../simulation/people.ts'
import { openProcessMarket, type ProcessMarket } from '../simulation/process-market.ts'
import { connectAccount } from '../simulation/seller-actions.ts'
import { topUpPlatform } from '../simulation/top-up-platform.ts'
import { type Random, seeded } from '../support/random.ts'
import type { ServerProcess } from '../support/server-process.ts'

/*
 * Runs random schedules against two processes and repeatedly kills one of them with -9: at random times, a few
 * milliseconds after a call was sent or answered, and while a process starts. PostgreSQL may be crashed too. After
 * the last start, the servers must recover within half a minute without help.
 */

const LANES = 3
const STEPS = 12
/** Long enough for a request or a job to be in progress. */
const MAX_DELAY_MS = 50
/** Used while no deal can be opened. */
const RETRY_MS = 100
const MINUTE_MS = 60_000
const DAY_MS = 1_440 * MINUTE_MS

interface Options {
  databaseUrl: string
  seed: number
  kills: number
  /** Crashes PostgreSQL and waits until it runs again. Omit if others use it too. */
  crashPostgres?: () => Promise<void>
}

export function runRandomKills({ databaseUrl, seed, kills, crashPostgres }: Options): Promise<Outcome> {
  const kill = (market: ProcessMarket, random: Random) => killRepeatedly(market, random, kills, crashPostgres)
  return runDisturbed({ databaseUrl, seed, about: `${kills} kills` }, kill)
}

interface Disturbed {
  databaseUrl: string
  seed: number
  /** The disturbance, for the description of a violation. */
  about: string
  /** Additional settings of the servers. */
  env?: Record<string, string>
}

/** Runs random schedules until `disturb` is over, and checks that everything recovers. */
export async function runDisturbed(
  { databaseUrl, seed, about: done, env }: Disturbed,
  disturb: (market: ProcessMarket, random: Random) => Promise<void>,
): Promise<Outcome & { acknowledged: number }> {
  const random = seeded(seed)
  const market = await openProcessMarket(databaseUrl, env)
  const schedules: Schedule[] = []
  try {
    const staff = await insertStaff(market.sql, sessionsOf(market))
    await topUpPlatform(market.sql, market.now())
    let isOver = false
    const lanes = Array.from({ length: LANES }, () =>
      runLane(market, staff, random.split(), schedules, () => isOver),
    )
    const disturbed = disturb(market, random.split()).finally(() => {
      isOver = true
    })
    await Promise.all([disturbed, ...lanes])
    const acknowledged = schedules.flatMap((schedule) => schedule.acknowledged)
    const violations = [
      ...schedules.flatMap((schedule) => schedule.violations),
      ...(await awaitRecovery(market, acknowledged)),
    ]
    const about = [
      `seed ${seed}, ${done}`,
      ...violations,
      ...involvedIn(schedules, violations).map(describeSchedule),
    ]
    const output = market.servers.map((server) => server.output())
    return {
      schedules: schedules.length,
      acknowledged: acknowledged.length,
      violations: violations.length > 0 ? [...about, ...output] : [],
      counters: market.counters,
    }
  } finally {
    await market.close()
  }
}

function involvedIn(schedules: Schedule[], violations: string[]): Schedule[] {
  return schedules.filter(({ deal, violations: own }) => {
    const mentionsDeal = new RegExp(
      `payment ${deal.paymentId}\\b|"paymentId":${deal.paymentId}\\b|request ${deal.itemId}\\b`,
    )
    const people = [deal.buyer.id, deal.seller.id]
    return (
      own.length > 0 ||
      violations.some((line) => mentionsDeal.test(line) || people.some((id) => line.includes(id)))
    )
  })
}

const sessionsOf = ({ services, now }: ProcessMarket) => ({
  sessionKeys: services.secrets.sessionKeys,
  now: now(),
})

/** Runs one schedule after another. While both servers are down, users mostly wait. */
async function runLane(
  market: ProcessMarket,
  staff: Staff,
  random: Random,
  schedules: Schedule[],
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    const schedule = await openSchedule(market, staff, random.split())
    if (!schedule) {
      await wait(RETRY_MS)
      continue
    }
    schedules.push(schedule)
    for (let step = 0; step < STEPS && !isOver(); step++) {
      if (!random.chance(0.1)) await market.ready()
      await performStep(schedule).catch((error) => rethrowUnlessUnavailable(error))
      await wait(random.below(60))
    }
  }
}

/** The simulation's own queries fail while PostgreSQL restarts. */
function rethrowUnlessUnavailable(error: unknown): void {
  if (!isUnavailable(error)) throw error
}

/** Null if no server answered. */
async function openSchedule(market: ProcessMarket, staff: Staff, random: Random): Promise<Schedule | null> {
  await market.ready()
  const people = await insertPeople(market.sql, sessionsOf(market), 2).catch(() => [])
  const [buyer, seller] = people
  if (!buyer || !seller) return null
  const terms = { ...staff, buyer, seller, amount: random.pick(AMOUNTS), currency: 'usd' }
  const deal = await (random.chance(0.6) ? agreeOnOffer : postRequest)(market, terms).catch(() => null)
  if (!deal) return null
  const schedule: Schedule = { market, deal, random, acknowledged: [], log: [], violations: [] }
  if (random.chance(0.6)) await connectAccount(schedule).catch(rethrowUnlessUnavailable)
  return schedule
}

/** Webhooks can be lost, repeated, late, or delivered newest first. */
const DELIVERY_FAULTS = [
  "mode = 'send'",
  "mode = 'drop'",
  'copies = 5',
  'delay_seconds = 2',
  'newest_first = true',
]
const NORMAL_DELIVERY = "mode = 'send', copies = 1, delay_seconds = 0, newest_first = false"

async function killRepeatedly(
  market: ProcessMarket,
  random: Random,
  kills: number,
  crashPostgres: Options['crashPostgres'],
): Promise<void> {
  const { servers, sql, counters } = market
  const setDelivery = (settings: string) => sql.query(`update sandbox.delivery_settings set ${settings}`)
  for (let kill = 0; kill < kills; kill++) {
    await setDelivery(NORMAL_DELIVERY)
    await setDelivery(random.pick(DELIVERY_FAULTS))
    if (random.chance(0.3)) market.moveClock(random.pick([5 * MINUTE_MS, 70 * MINUTE_MS, DAY_MS]))
    const server = random.pick(servers)
    await waitForKillTime(market, random)
    counters.count('kills', 'of a server')
    await server.kill()
    if (crashPostgres && random.chance(0.4)) {
      counters.count('kills', 'of PostgreSQL')
      await crashPostgres()
    }
    if (random.chance(0.15)) {
      counters.count('kills', 'of the other server too')
      await restart(otherServer(servers, server))
    }
    server.start()
    if (random.chance(0.1)) {
      await wait(random.below(1_000))
      counters.count('kills', 'while it started')
      await restart(server)
    }
    await server.ready()
  }
  await Promise.all(servers.map((server) => server.ready()))
  await setDelivery(NORMAL_DELIVERY)
}

const otherServer = ([first, second]: ProcessMarket['servers'], one: ServerProcess) =>
  one === first ? second : first

async function restart(server: ServerProcess): Promise<void> {
  await server.kill()
  server.start()
  void server.ready().catch(() => {})
}

/** Waits until shortly after one of the next calls was sent or answered, or for a random time. */
async function waitForKillTime(market: ProcessMarket, random: Random): Promise<void> {
  if (random.chance(0.3)) return void (await wait(200 + random.below(2_500)))
  let calls = 8 + random.below(60)
  await new Promise<void>((resolve) => {
    market.onCall(() => {
      if (--calls > 0) return
      market.onCall(() => {})
      setTimeout(resolve, random.below(MAX_DELAY_MS))
    })
  })
}
