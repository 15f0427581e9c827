import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startEmbeddedPostgres } from '@sought/server/database/embedded-postgres/embedded-postgres'
import type pg from 'pg'
import { type Person, signUpUsers, stepsOfDeal, type Target, withServer } from '../load/load.ts'
import type { Line, Part } from '../support/part.ts'
import { openPool, withTemporaryDatabase } from '../support/temporary-database.ts'
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
const COMMIT_SECONDS = 5
const COMMITTERS = 16
/** PostgreSQL publishes its statistics with a delay, and jobs end after the last reply. */
const SETTLE_MS = 5_000
const LARGEST_TABLES = 8

const DEAL_LIMITS = { transactions: 260, walKb: 210, diskKb: 100 }

export const scale: Part = async ({ share }) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'sought-scale-'))
  const postgres = await startEmbeddedPostgres({ dataDir, say: () => {} })
  try {
    return await withTemporaryDatabase(postgres.url, async (databaseUrl) => {
      const sql = openPool(databaseUrl, COMMITTERS)
      try {
        const lines = await withServer(databaseUrl, async (target) => {
          const people = await signUpUsers(target, 2 * PAIRS)
          await makeDeals(target, people, PAIRS)
          // Reads come first, because PostgreSQL is busy cleaning up after many deals.
          await wait(SETTLE_MS)
          return [
            await measureReads(target, sql, Math.max(1_000, Math.round(READS * share))),
            await measureDeals(target, people, sql, Math.max(MIN_DEALS, Math.round(DEALS * share))),
          ]
        })
        return [...lines, ...(await measureCommits(sql, Math.max(1, COMMIT_SECONDS * share)))]
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

/** NOTIFY holds a server-wide lock until the commit is durable, so such commits run one after the other. */
async function measureCommits(sql: pg.Pool, seconds: number): Promise<Line[]> {
  await sql.query('create table committed (at timestamptz default now())')
  const plain = await countCommits(sql, 'insert into committed default values', seconds)
  const announced = await countCommits(
    sql,
    `with written as (insert into committed default values returning 1)
     select announce('changes', '{"to":[],"change":{"about":"messages"}}') from written`,
    seconds,
  )
  const lineOf = (what: string, count: number): Line => ({
    what: `${what} (${(count / seconds).toFixed(0)} a second)`,
    times: count,
    violations: [],
  })
  return [
    lineOf(`commits on ${COMMITTERS} connections`, plain),
    lineOf('commits that announce a change', announced),
  ]
}

async function countCommits(sql: pg.Pool, statement: string, seconds: number): Promise<number> {
  const until = performance.now() + seconds * 1000
  let count = 0
  const commit = async () => {
    for (; performance.now() < until; count++) await sql.query(statement)
  }
  await Promise.all(Array.from({ length: COMMITTERS }, commit))
  return count
}
