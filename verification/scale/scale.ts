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
import { type Figures, readFigures } from './postgres-figures.ts'

/*
 * Measures the product's load on PostgreSQL, for ADR 89: a whole deal, the most frequent reads, and commits
 * with announcements. PostgreSQL is durable here. The limits are twice the measured values, so that growth is
 * noticed.
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

const DEAL_LIMITS = { transactions: 260, walKb: 210, diskKb: 100 }

export const scale: Part = async ({ share, diskMs = DISK_MS }) => {
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
          const deals = await measureDeals(
            target,
            people,
            sql,
            Math.max(MIN_DEALS, Math.round(DEALS * share)),
          )
          await slowDisk(sql, diskMs)
          const delivery = await measureDelivery(target, people, Math.max(50, Math.round(MESSAGES * share)))
          const commits = await measureCommits(sql, Math.max(5, COMMIT_SECONDS * share))
          return [reads, deals, delivery, ...commits.lines]
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

async function measureDeals(target: Target, people: Person[], sql: pg.Pool, deals: number): Promise<Line> {
  const { cost, before, after, seconds } = await measure(sql, () => makeDeals(target, people, deals))
  const grown = [...after.tableBytes]
    .map(([name, bytes]) => ({ name, perDeal: (bytes - (before.tableBytes.get(name) ?? 0)) / deals }))
    .sort((one, other) => other.perDeal - one.perDeal)
  const perDeal = {
    transactions: cost.transactions / deals,
    walKb: cost.walBytes / deals / 1000,
    diskKb: grown.reduce((sum, table) => sum + table.perDeal, 0) / 1000,
  }
  for (const table of grown.slice(0, LARGEST_TABLES))
    console.log(`  ${table.name}: ${(table.perDeal / 1000).toFixed(1)} kB for each deal`)
  const cpuMs = cost.cpuMs / deals
  const { transactions, walKb, diskKb } = perDeal
  return {
    what: `deals (${(deals / seconds).toFixed(1)} a second; for each ${transactions.toFixed(0)} transactions, ${walKb.toFixed(0)} kB of log, ${diskKb.toFixed(1)} kB of tables, ${cpuMs.toFixed(0)} ms of PostgreSQL's processor time)`,
    times: deals,
    violations: Object.entries(DEAL_LIMITS)
      .filter(([name, limit]) => perDeal[name as keyof typeof perDeal] > limit)
      .map(([name, limit]) => `a deal costs more than ${limit} ${name}`),
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

type Cost = Pick<Figures, 'transactions' | 'walBytes' | 'cpuMs'>

interface Measured {
  /** Transactions and processor time, minus those of an idle server in the same time. */
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
  const costOf = (figure: 'transactions' | 'cpuMs') =>
    after[figure] - before[figure] - (before[figure] - idle[figure]) * idlePeriods
  const cost = {
    transactions: costOf('transactions'),
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
