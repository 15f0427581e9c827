import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startEmbeddedPostgres } from '@sought/server/database/embedded-postgres/embedded-postgres'
import type pg from 'pg'
import { type Person, signUpUsers, stepsOfDeal, type Target, withServer } from '../load/load.ts'
import type { Line, Part } from '../support/part.ts'
import { openPool, withTemporaryDatabase } from '../support/temporary-database.ts'
import { COMMITTERS, measureCommits, measureDelivery } from './announcing-commits.ts'
import { countTransactions, type Figures, readFigures } from './postgres-figures.ts'

/*
 * Measures the product's load on PostgreSQL, for docs/scale.md: a whole deal, the most frequent reads, and commits
 * with announcements. PostgreSQL is durable here.
 */

const PAIRS = 8
const DEALS = 400
/** Tables grow by whole pages, so the average of a few deals is not accurate. */
const MIN_DEALS = 100
const READS = 4_000
const COMMIT_SECONDS = 10
const MESSAGES = 200
/** PostgreSQL publishes its statistics with a delay, and jobs end after the last reply. */
const SETTLE_MS = 5_000
const LARGEST_TABLES = 8
const DISK_MS = 5

/** The transactions are the product's promise. The other limits are twice the measured values. */
const DEAL_LIMITS = { transactions: 45, walKb: 210, diskKb: 100 }
const COUNTED_DEALS = 48
/** With Stripe instead of the sandbox, its transactions do not exist. */
const SANDBOX = 'sought sandbox'

/** The machine for which the capacity is printed: cores of PostgreSQL, of which half are used. */
const CORES = 16
const SECONDS_A_DAY = 86_400
/** The busiest second of a day, in times of the mean. */
const PEAK_FACTOR = 4

export const scale: Part = async ({ share, diskMs = DISK_MS, peakFactor = PEAK_FACTOR }) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'sought-scale-'))
  const postgres = await startEmbeddedPostgres({ dataDir, say: () => {} })
  try {
    return await withTemporaryDatabase(postgres.url, async (databaseUrl) => {
      const sql = openPool(databaseUrl, COMMITTERS)
      try {
        return await withServer(databaseUrl, async (target) => {
          const people = await signUpUsers(target, 2 * PAIRS)
          await makeDeals(target, people, PAIRS)
          // Reads come first, because PostgreSQL is busy cleaning up after many deals.
          await wait(SETTLE_MS)
          const reads = await measureReads(target, sql, Math.max(1_000, Math.round(READS * share)))
          const counted = await countDealTransactions(target, people, sql, join(dataDir, 'postgres.log'))
          const deals = Math.max(MIN_DEALS, Math.round(DEALS * share))
          const { line, cpuMs, writes } = await measureDeals(target, people, sql, deals)
          await slowDisk(sql, diskMs)
          const delivery = await measureDelivery(target, people, Math.max(50, Math.round(MESSAGES * share)))
          const { commitsPerSecond, lines } = await measureCommits(sql, Math.max(5, COMMIT_SECONDS * share))
          const capacity = describeCapacity({ commitsPerSecond, cpuMs, writes, diskMs, peakFactor })
          return [reads, counted, line, delivery, ...lines, capacity]
        })
      } finally {
        await sql.end()
      }
    })
  } finally {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** All pairs at once, one deal after another. */
async function makeDeals(target: Target, people: Person[], count: number): Promise<void> {
  let left = count
  const make = async (buyer?: Person, seller?: Person) => {
    if (!buyer || !seller) return
    while (left-- > 0) for (const step of stepsOfDeal(target, buyer, seller)) await step()
  }
  await Promise.all(Array.from({ length: PAIRS }, (_, at) => make(people[2 * at], people[2 * at + 1])))
}

/** Without what the server does in the same time without deals. */
async function countDealTransactions(
  target: Target,
  people: Person[],
  sql: pg.Pool,
  logFile: string,
): Promise<Line> {
  let seconds = 0
  const counts = await countTransactions(sql, logFile, async () => {
    const startMs = performance.now()
    await makeDeals(target, people, COUNTED_DEALS)
    await wait(SETTLE_MS)
    seconds = (performance.now() - startMs) / 1000
  })
  const idle = await countTransactions(sql, logFile, () => wait(SETTLE_MS))
  const perDeal = [...counts].map(([application, count]) => ({
    application,
    count: (count - ((idle.get(application) ?? 0) * seconds * 1000) / SETTLE_MS) / COUNTED_DEALS,
  }))
  const sumOf = (isCounted: (application: string) => boolean) =>
    perDeal.reduce((sum, { application, count }) => sum + (isCounted(application) ? count : 0), 0)
  const transactions = sumOf((application) => application !== SANDBOX)
  const ofSandbox = sumOf((application) => application === SANDBOX)
  const limit = DEAL_LIMITS.transactions
  return {
    what: `deals (${transactions.toFixed(0)} transactions for each, and ${ofSandbox.toFixed(0)} of the sandbox)`,
    times: COUNTED_DEALS,
    violations: transactions > limit ? [`a deal costs more than ${limit} transactions`] : [],
  }
}

interface MeasuredDeals {
  line: Line
  /** PostgreSQL's processor time, and transactions that write, for each deal. */
  cpuMs: number
  writes: number
}

async function measureDeals(
  target: Target,
  people: Person[],
  sql: pg.Pool,
  deals: number,
): Promise<MeasuredDeals> {
  const { cost, before, after, seconds } = await measure(sql, () => makeDeals(target, people, deals))
  const grown = [...after.tableBytes]
    .map(([name, bytes]) => ({ name, perDeal: (bytes - (before.tableBytes.get(name) ?? 0)) / deals }))
    .sort((one, other) => other.perDeal - one.perDeal)
  const perDeal = {
    walKb: cost.walBytes / deals / 1000,
    diskKb: grown.reduce((sum, table) => sum + table.perDeal, 0) / 1000,
  }
  for (const table of grown.slice(0, LARGEST_TABLES))
    console.log(`  ${table.name}: ${(table.perDeal / 1000).toFixed(1)} kB for each deal`)
  const [cpuMs, writes] = [cost.cpuMs / deals, cost.writes / deals]
  const { walKb, diskKb } = perDeal
  const line = {
    what: `deals (${(deals / seconds).toFixed(1)} a second; for each ${writes.toFixed(0)} transactions that write, ${walKb.toFixed(0)} kB of log, ${diskKb.toFixed(1)} kB of tables, ${cpuMs.toFixed(0)} ms of PostgreSQL's processor time)`,
    times: deals,
    violations: Object.entries(perDeal)
      .filter(([name, value]) => value > DEAL_LIMITS[name as keyof typeof perDeal])
      .map(([name]) => `a deal costs more than ${DEAL_LIMITS[name as keyof typeof perDeal]} ${name}`),
  }
  return { line, cpuMs, writes }
}

interface CapacityFigures extends Pick<MeasuredDeals, 'cpuMs' | 'writes'> {
  commitsPerSecond: number
  diskMs: number
  peakFactor: number
}

/** What one primary carries, by the first resource that ends. */
function describeCapacity({ commitsPerSecond, cpuMs, writes, diskMs, peakFactor }: CapacityFigures): Line {
  const byDisk = commitsPerSecond / writes
  const byProcessor = (CORES * 1000) / 2 / cpuMs
  const peak = Math.min(byDisk, byProcessor)
  const daily = Math.floor((peak / peakFactor) * SECONDS_A_DAY)
  const limits = `${byDisk.toFixed(0)} by commits on a disk of ${diskMs} ms, ${byProcessor.toFixed(0)} by ${CORES} cores that are half used`
  return {
    what: `deals a day, if the busiest second has ${peakFactor} times the mean (${peak.toFixed(0)} deals a second: ${limits})`,
    times: daily,
    violations: [],
  }
}

/** Pages of the board, and single requests. */
async function measureReads({ send }: Target, sql: pg.Pool, reads: number): Promise<Line> {
  const { rows } = await sql.query<{ id: number }>('select id from wanted_items order by id')
  const idAt = (read: number) => rows[read % rows.length]?.id ?? 1
  let done = 0
  const failed: string[] = []
  const read = async () => {
    for (let next = done++; next < reads; next = done++) {
      const path = next % 2 ? `/api/wanted-items/${idAt(next)}` : `/api/wanted-items?cursor=${idAt(next)}`
      const { status, body } = await send(`GET ${path}`)
      if (status !== 200) failed.push(`GET ${path}: ${status} ${body}`)
    }
  }
  const { cost, seconds } = await measure(sql, () => Promise.all(Array.from({ length: PAIRS }, read)))
  const cpuMs = cost.cpuMs / reads
  return {
    what: `reads of the board and of requests (${(reads / seconds).toFixed(0)} a second, ${cpuMs.toFixed(2)} ms of PostgreSQL's processor time for each)`,
    times: reads,
    violations: failed.slice(0, 3),
  }
}

type Cost = Pick<Figures, 'writes' | 'walBytes' | 'cpuMs'>

interface Measured {
  /** Transactions that write and processor time, minus those of an idle server in the same time. */
  cost: Cost
  before: Figures
  after: Figures
  seconds: number
}

async function measure(sql: pg.Pool, work: () => Promise<unknown>): Promise<Measured> {
  const idle = await readFigures(sql)
  await wait(SETTLE_MS)
  const before = await readFigures(sql)
  const startMs = performance.now()
  await work()
  const seconds = (performance.now() - startMs) / 1000
  await wait(SETTLE_MS)
  const after = await readFigures(sql)
  const idlePeriods = (seconds * 1000 + SETTLE_MS) / SETTLE_MS
  const costOf = (figure: 'writes' | 'cpuMs') =>
    after[figure] - before[figure] - (before[figure] - idle[figure]) * idlePeriods
  const cost = {
    writes: costOf('writes'),
    // Whether an idle second writes to the log depends on the last checkpoint.
    walBytes: after.walBytes - before.walBytes,
    cpuMs: costOf('cpuMs'),
  }
  return { cost, before, after, seconds }
}

/** Every write to the log takes this long, as on a disk. Commits that wait for the same write share it. */
async function slowDisk(sql: pg.Pool, diskMs: number): Promise<void> {
  await sql.query(`alter system set commit_delay = ${Math.round(diskMs * 1000)}`)
  await sql.query('alter system set commit_siblings = 0')
  await sql.query('select pg_reload_conf()')
  await wait(SETTLE_MS)
}
