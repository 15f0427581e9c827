import { type Database, openDatabase } from '../server/src/database/database.ts'
import { RELEASE_BATCH, releaseDue } from '../server/src/features/money/payments/release-payments.ts'
import { compareDisputeLists } from './dispute-lists.ts'
import { compareHomeDuringReleases } from './home-during-releases.ts'
import { formatMs, type Row, report } from './measure.ts'
import { releaseWithPgbench } from './pgbench-release.ts'
import { addDisputes, addDuePayments, createMarket } from './seed-deals.ts'
import { findPgbench, formatRate, median } from './throughput.ts'

/*
 * Measures the release of due payments (ADR 4): the cost of each with few and with many due, the rate compared with
 * pgbench, and the effect on other requests. Also measures the admin desk with many disputes.
 */

const DUE = { small: 1_000, large: 1_000_000 }
const DISPUTES = { small: 100, large: 100_000 }
const ROUNDS = 9
/** Releases all of the small database, and twice as many of the large one. */
const BATCHES = { small: DUE.small / RELEASE_BATCH, large: (2 * DUE.small) / RELEASE_BATCH }
const MAX_COST_RATIO = 1.2
const MIN_RATIO_TO_PGBENCH = 0.5

export async function measureReleases(adminUrl: string): Promise<boolean> {
  console.log('\nAdding a million due payments, which takes a few minutes ...')
  const small = await createMarket(adminUrl, 'sought_bench_few_due')
  const large = await createMarket(adminUrl, 'sought_bench_many_due')
  await addDuePayments(large, 1, DUE.large)
  await addDisputes(small, DISPUTES.small)
  await addDisputes(large, DISPUTES.large)
  const verdicts = [
    await compareReleases(small, large),
    await compareHomeDuringReleases(large),
    await compareDisputeLists(small, large),
  ]
  return verdicts.every(Boolean)
}

/** The three measurements alternate, so that other load on the machine affects all of them. */
async function compareReleases(smallUrl: string, largeUrl: string): Promise<boolean> {
  const pgbench = findPgbench()
  const small = openDatabase(smallUrl, () => new Date(), console.error)
  const large = openDatabase(largeUrl, () => new Date(), console.error)
  const rounds: Round[] = []
  try {
    for (let round = 0; round <= ROUNDS; round++) {
      await addDuePayments(smallUrl, round * DUE.small + 1, (round + 1) * DUE.small)
      const measured = {
        few: await releaseBatches(small, BATCHES.small),
        many: await releaseBatches(large, BATCHES.large),
        pgbenchRate: pgbench ? await releaseWithPgbench(pgbench, largeUrl, BATCHES.large) : Number.NaN,
      }
      // The first round is a warm-up.
      if (round > 0) rounds.push(measured)
    }
  } finally {
    await small.close()
    await large.close()
  }
  return reportReleases(rounds)
}

interface Released {
  /** The time in transactions per release, without the pauses between batches. */
  msPerRelease: number
  /** Releases per second, including the pauses. */
  rate: number
}

interface Round {
  few: Released
  many: Released
  pgbenchRate: number
}

/** Releases this many full batches, then stops. */
export async function releaseBatches(database: Database, batches: number): Promise<Released> {
  const stopping = new AbortController()
  let done = 0
  let transactionMs = 0
  const watched: Database = {
    ...database,
    async transact(work) {
      const began = performance.now()
      const result = await database.transact(work)
      transactionMs += performance.now() - began
      if (++done === batches) stopping.abort()
      return result
    },
  }
  const began = performance.now()
  const released = await releaseDue({ database: watched }, stopping.signal)
  const tookMs = performance.now() - began
  if (released !== batches * RELEASE_BATCH) throw new Error(`only ${released} payments were released`)
  return { msPerRelease: transactionMs / released, rate: (released / tookMs) * 1000 }
}

function reportReleases(rounds: Round[]): boolean {
  const fewMs = median(rounds.map(({ few }) => few.msPerRelease))
  const manyMs = median(rounds.map(({ many }) => many.msPerRelease))
  const ours = median(rounds.map(({ many }) => many.rate))
  const pgbench = median(rounds.map(({ pgbenchRate }) => pgbenchRate))
  const cost: Row = {
    cells: [
      'one release',
      formatMs(fewMs),
      formatMs(manyMs),
      (manyMs / fewMs).toFixed(2),
      `at most ${MAX_COST_RATIO}`,
    ],
    ok: manyMs / fewMs <= MAX_COST_RATIO,
  }
  const throughput: Row = {
    cells: [
      'same transaction, 1 connection',
      formatRate(pgbench),
      formatRate(ours),
      (ours / pgbench).toFixed(2),
      `at least ${MIN_RATIO_TO_PGBENCH}`,
    ],
    ok: Number.isNaN(pgbench) ? null : ours / pgbench >= MIN_RATIO_TO_PGBENCH,
  }
  const title = `Releases in batches of ${RELEASE_BATCH}, median of ${ROUNDS} rounds`
  const costOk = report(title, ['', '1,000 due', '1,000,000 due', 'ratio', 'limit'], [cost])
  return (
    report(`${title}, 1,000,000 due`, ['', 'pgbench', 'the server', 'ratio', 'limit'], [throughput]) && costOk
  )
}
