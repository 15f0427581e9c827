import { RELEASE_BATCH, releaseDue } from '../server/src/features/payments/release-payments.ts'
import { type Database, openDatabase } from '../server/src/platform/database.ts'
import { compareDisputeLists } from './dispute-lists.ts'
import { addDisputes, addDue, createMarket } from './due-payments.ts'
import { compareHome } from './home-meanwhile.ts'
import { milliseconds, type Row, report } from './measure.ts'
import { releaseWithPgbench } from './pgbench-release.ts'
import { findPgbench, median, perSecond } from './throughput.ts'

/*
 * Whether a great many due payments cost more each than a few, are released more slowly than PostgreSQL could, or
 * slow the market down meanwhile (ADR 4); and whether the admins' desk stays quick with many disputes.
 */

const DUE = { small: 1_000, large: 1_000_000 }
const DISPUTES = { small: 100, large: 100_000 }
const ROUNDS = 9
/** The few are released to the last one; of the many, twice as many. */
const BATCHES = { small: DUE.small / RELEASE_BATCH, large: (2 * DUE.small) / RELEASE_BATCH }
const MOST_TIMES_OF_FEW = 1.2
const LEAST_OF_PGBENCH = 0.5

export async function measureReleases(adminUrl: string): Promise<boolean> {
  console.log('\nAdding a million payments that are due, which takes a few minutes ...')
  const small = await createMarket(adminUrl, 'sought_bench_few_due')
  const large = await createMarket(adminUrl, 'sought_bench_many_due')
  await addDue(large, 1, DUE.large)
  await addDisputes(small, DISPUTES.small)
  await addDisputes(large, DISPUTES.large)
  const verdicts = [
    await compareReleases(small, large),
    await compareHome(large),
    await compareDisputeLists(small, large),
  ]
  return verdicts.every(Boolean)
}

/** Few due, many due and pgbench take turns, so that whatever else the machine does hits all of them. */
async function compareReleases(smallUrl: string, largeUrl: string): Promise<boolean> {
  const pgbench = findPgbench()
  const small = openDatabase(smallUrl, () => new Date(), console.error)
  const large = openDatabase(largeUrl, () => new Date(), console.error)
  const rounds: Round[] = []
  try {
    for (let round = 0; round <= ROUNDS; round++) {
      await addDue(smallUrl, round * DUE.small + 1, (round + 1) * DUE.small)
      const measured = {
        few: await releaseSome(small, BATCHES.small),
        many: await releaseSome(large, BATCHES.large),
        pgbenchRate: pgbench ? await releaseWithPgbench(pgbench, largeUrl, BATCHES.large) : Number.NaN,
      }
      // The first round only warms up.
      if (round > 0) rounds.push(measured)
    }
  } finally {
    await small.close()
    await large.close()
  }
  return reportReleases(rounds)
}

interface Released {
  /** What one release took of the database's transactions, without the breath between two of them. */
  msEach: number
  /** How many were released in a second, with everything. */
  rate: number
}

interface Round {
  few: Released
  many: Released
  pgbenchRate: number
}

/** Releases so many full batches, and is then told to stop. */
async function releaseSome(database: Database, batches: number): Promise<Released> {
  const stopping = new AbortController()
  let done = 0
  let insideMs = 0
  const watched: Database = {
    ...database,
    async transact(work) {
      const began = performance.now()
      const result = await database.transact(work)
      insideMs += performance.now() - began
      if (++done === batches) stopping.abort()
      return result
    },
  }
  const began = performance.now()
  const released = await releaseDue({ database: watched }, stopping.signal)
  const tookMs = performance.now() - began
  if (released !== batches * RELEASE_BATCH) throw new Error(`only ${released} payments were released`)
  return { msEach: insideMs / released, rate: (released / tookMs) * 1000 }
}

function reportReleases(rounds: Round[]): boolean {
  const fewMs = median(rounds.map(({ few }) => few.msEach))
  const manyMs = median(rounds.map(({ many }) => many.msEach))
  const ours = median(rounds.map(({ many }) => many.rate))
  const pgbench = median(rounds.map(({ pgbenchRate }) => pgbenchRate))
  const cost: Row = {
    cells: [
      'a release',
      milliseconds(fewMs),
      milliseconds(manyMs),
      (manyMs / fewMs).toFixed(2),
      `${MOST_TIMES_OF_FEW} times`,
    ],
    ok: manyMs / fewMs <= MOST_TIMES_OF_FEW,
  }
  const throughput: Row = {
    cells: [
      'pgbench, same transaction, 1 connection',
      perSecond(pgbench),
      perSecond(ours),
      (ours / pgbench).toFixed(2),
      `at least ${LEAST_OF_PGBENCH}`,
    ],
    ok: Number.isNaN(pgbench) ? null : ours / pgbench >= LEAST_OF_PGBENCH,
  }
  const title = `Releases in batches of ${RELEASE_BATCH}, median of ${ROUNDS} rounds`
  const costOk = report(title, ['', '1,000 due', '1,000,000 due', 'times', 'bound'], [cost])
  return report(`${title}, 1,000,000 due`, ['', 'it', 'the server', 'ratio', 'bound'], [throughput]) && costOk
}
