import { awaitRecovery } from '../simulation/await-recovery.ts'
import type { Acknowledged } from '../simulation/market.ts'
import { AMOUNTS } from '../simulation/open-deal.ts'
import { insertPeople, insertStaff, type Staff } from '../simulation/people.ts'
import { openProcessMarket, type ProcessMarket } from '../simulation/process-market.ts'
import { topUpPlatform } from '../simulation/top-up-platform.ts'
import { type Random, seeded } from '../support/random.ts'
import type { CrashPoint } from '../support/server-process-preload.ts'
import { crashPoints, type NamedCrashPoint } from './crash-points.ts'
import type { ScenarioRun } from './scenarios.ts'

/*
 * Runs the scenario of each crash point on two processes and kills the first one that reaches it. The scenario must
 * still complete, and at the end everything must be consistent.
 */

const SIDES = ['before', 'after'] as const
/** A scenario that misses the crash point, because the other server was faster, is repeated. */
const MAX_RUNS = 4
/** From this amount on, a third and a half of it can be refunded. */
const LEAST_CENTS = 100

export interface Crash {
  point: NamedCrashPoint
  when: CrashPoint['when']
}

export const crashes: Crash[] = crashPoints.flatMap((point) => SIDES.map((when) => ({ point, when })))

interface Options {
  databaseUrl: string
  seed: number
  crashes: Crash[]
}

export interface CrashOutcome {
  /** The crash points that no process reached, or whose scenario did not complete, and why. */
  unreached: Map<NamedCrashPoint, string>
  /** Inconsistencies at the end, with the seed to reproduce them. */
  violations: string[]
}

export async function runCrashPoints({ databaseUrl, seed, crashes }: Options): Promise<CrashOutcome> {
  const random = seeded(seed)
  // The provider converts the money of every deal.
  const market = await openProcessMarket(databaseUrl, { CURRENCY: 'eur' })
  const acknowledged: Acknowledged[] = []
  const violations: string[] = []
  const unreached = new Map<NamedCrashPoint, string>()
  try {
    const staff = await insertStaff(market.sql, sessionsOf(market))
    await topUpPlatform(market.sql, market.now())
    for (const crash of crashes) {
      // One server is enough, because a scenario must also complete while the other one starts.
      await market.ready()
      const run = { market, acknowledged, violations }
      await runUntilCrash(run, staff, crash, random.split()).catch((error) => {
        const reason = error instanceof Error ? error.message : error
        unreached.set(crash.point, `seed ${seed}, ${nameOf(crash)}: ${reason}`)
      })
    }
    await Promise.all(market.servers.map((server) => server.ready()))
    violations.push(...(await awaitRecovery(market, acknowledged)))
    const output = market.servers.map((server) => server.output())
    const about = `seed ${seed}, killed ${crashes.map(nameOf).join(', ')}`
    return { unreached, violations: violations.length > 0 ? [about, ...violations, ...output] : [] }
  } finally {
    await market.close()
  }
}

const nameOf = ({ point, when }: Crash) => `${when} ${point.name}`

const sessionsOf = ({ services, now }: ProcessMarket) => ({
  sessionKeys: services.secrets.sessionKeys,
  now: now(),
})

async function runUntilCrash(
  run: Omit<ScenarioRun, 'terms' | 'market'> & { market: ProcessMarket },
  staff: Staff,
  crash: Crash,
  random: Random,
): Promise<void> {
  const { market } = run
  for (let runs = 0; runs < MAX_RUNS; runs++) {
    const [buyer, seller] = await insertPeople(market.sql, sessionsOf(market), 2)
    if (!buyer || !seller) throw new Error('no people were inserted')
    const amount = random.pick(AMOUNTS.filter((it) => it >= LEAST_CENTS))
    const disarm = armCrash(market, crash)
    await crash.point.scenario({ ...run, terms: { ...staff, buyer, seller, amount, currency: 'eur' } })
    if (disarm()) return
  }
  throw new Error(`not reached in ${MAX_RUNS} runs of its scenario`)
}

/**
 * Arms the crash on both servers. The first to reach it is killed and restarted. The returned function tells
 * whether one was.
 */
function armCrash({ servers, counters }: ProcessMarket, { point, when }: Crash): () => boolean {
  const { at, pattern } = point
  const disarm = () => {
    for (const server of servers) server.send({ crashAt: null })
  }
  let hasCrashed = false
  for (const server of servers) {
    server.send({ crashAt: { at, pattern, when } })
    server.onExit(() => {
      hasCrashed = true
      disarm()
      counters.count('killed', nameOf({ point, when }))
      server.start()
      void server.ready().catch(() => {})
    })
  }
  return () => {
    disarm()
    return hasCrashed
  }
}
