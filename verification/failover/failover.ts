import { setTimeout as wait } from 'node:timers/promises'
import { runDisturbed } from '../crash/run-random-kills.ts'
import type { Person } from '../simulation/market.ts'
import { insertPeople } from '../simulation/people.ts'
import type { ProcessMarket } from '../simulation/process-market.ts'
import type { Line, Part } from '../support/part.ts'
import { type Cluster, startCluster } from './cluster.ts'

const KILLS = 12
/** The maximum time without writes, counted from the kill. */
const RETURN_WITHIN_MS = 15_000
const PROBE_MS = 250
const PROBE_LIMIT_MS = 60_000
/** The pause between two kills, so that users make progress. */
const CALM_MS = 3_000

/**
 * Users of two server processes pay, ship, dispute and chat while the primary of a three-node cluster is killed
 * repeatedly. Everything acknowledged must still be true, the ledger must be right, and the service must recover
 * without help.
 */
export const failover: Part = async ({ seed, share }) => {
  const cluster = await startCluster()
  try {
    const kills = Math.max(1, Math.round(KILLS * share))
    const outagesMs: number[] = []
    const env = { DATABASE_REPLICA_URLS: cluster.replicaUrl }
    const { schedules, acknowledged, violations } = await runDisturbed(
      { databaseUrl: cluster.url, seed, about: `${kills} failovers`, env },
      async (market, random) => {
        const poster = await insertPoster(market)
        for (let kill = 0; kill < kills; kill++) {
          await wait(CALM_MS + random.below(CALM_MS))
          outagesMs.push(await failOver(cluster, kill, () => post(market, poster)))
        }
      },
    )
    return [
      {
        what: `answers in ${schedules} deals while the primary was killed ${kills} times, none lost`,
        times: acknowledged,
        violations,
      },
      lineOfOutages(outagesMs),
    ]
  } finally {
    await cluster.stop()
  }
}

/** Returns the time without writes. Two of three kills hit the whole node. */
async function failOver(cluster: Cluster, kill: number, write: () => Promise<boolean>): Promise<number> {
  const isNode = kill % 3 !== 2
  const node = await (isNode ? cluster.killPrimaryNode() : cluster.killPrimaryPostgres())
  const outageMs = await timeUntil(write)
  const what = isNode ? `the node ${node.name}` : `PostgreSQL on node ${node.name}`
  console.log(`  killed ${what}: people could write again after ${formatSeconds(outageMs)}`)
  if (isNode) node.start()
  await cluster.healthy()
  return outageMs
}

/** Tries again without waiting for the last attempt, like other people would. */
async function timeUntil(write: () => Promise<boolean>): Promise<number> {
  const startMs = performance.now()
  let isDone = false
  while (!isDone && performance.now() - startMs < PROBE_LIMIT_MS) {
    void write().then((done) => {
      isDone ||= done
    })
    await wait(PROBE_MS)
  }
  return performance.now() - startMs
}

async function insertPoster({ sql, services, now }: ProcessMarket): Promise<Person> {
  const { sessionKeys } = services.secrets
  const [poster] = await insertPeople(sql, { sessionKeys, now: now() }, 1)
  if (!poster) throw new Error('nobody was inserted')
  return poster
}

const LAMP = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh', maxBudget: 50 }

async function post(market: ProcessMarket, poster: Person): Promise<boolean> {
  const { status } = await market.call(poster, 'POST /api/wanted-items', LAMP)
  return status === 201
}

function lineOfOutages(outagesMs: number[]): Line {
  const sorted = outagesMs.toSorted((one, other) => one - other)
  const [median = 0, longest = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)]
  return {
    what: `failovers without intervention (median ${formatSeconds(median)}, longest ${formatSeconds(longest)})`,
    times: outagesMs.length,
    violations: sorted
      .filter((outageMs) => outageMs > RETURN_WITHIN_MS)
      .map((outageMs) => `the service returned only after ${formatSeconds(outageMs)}`),
  }
}

const formatSeconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
