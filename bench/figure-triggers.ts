import pg from 'pg'
import { openDatabase } from '../server/src/database/database.ts'
import { RELEASE_BATCH } from '../server/src/features/money/payments/release-payments.ts'
import { signUpUsers, stepsOfDeal, type Target, withServer } from '../verification/load/load.ts'
import { formatMs, p50, type Row, report, timeBoth } from './measure.ts'
import { releaseBatches } from './releases.ts'
import { addDuePayments, createMarket } from './seed-deals.ts'

/*
 * The cost of counting the market with triggers (ADR 84): posts requests, completes whole deals and releases due
 * payments in two markets. In one of them the triggers are disabled.
 */

const POSTS = 300
const DEALS = 100
const WARM_UP = 15
const ROUNDS = 9
const BATCHES = 10
const DUE = 10_000
/** Above the ids of the deals. */
const FIRST_DUE = 1_000_001
const MIN_RATIO = { post: 0.9, deal: 0.9, release: 0.7 }

export async function measureFigureTriggers(adminUrl: string): Promise<boolean> {
  const silent = await createMarket(adminUrl, 'sought_bench_not_counting')
  const counting = await createMarket(adminUrl, 'sought_bench_counting')
  await disableFigureTriggers(silent)
  const { posts, deals } = await withServer(silent, (one) =>
    withServer(counting, async (other) => {
      const [inOne, inOther] = [await openMarket(one), await openMarket(other)]
      return {
        posts: await timeBoth(inOne.post, inOther.post, { warmUp: WARM_UP, runs: POSTS }),
        deals: await timeBoth(inOne.deal, inOther.deal, { warmUp: WARM_UP, runs: DEALS }),
      }
    }),
  )
  const releases = await timeReleases(silent, counting)
  await checkReleased(silent, 0)
  await checkReleased(counting, WARM_UP + DEALS + (1 + ROUNDS) * BATCHES * RELEASE_BATCH)
  return report(
    'Cost of the triggers that count the market, medians',
    ['', 'without', 'with', 'ratio', 'limit'],
    [
      toRow(`posting a request, ${POSTS} times`, posts, MIN_RATIO.post),
      toRow(`a deal from the request to its release, ${DEALS} times`, deals, MIN_RATIO.deal),
      toRow(`one release in a batch, ${ROUNDS} rounds`, releases, MIN_RATIO.release),
    ],
  )
}

type Times = [withoutMs: number[], withMs: number[]]

function toRow(title: string, times: Times, least: number): Row {
  const [withoutMs, withMs] = [p50(times[0]), p50(times[1])]
  const ratio = withoutMs / withMs
  return {
    cells: [title, formatMs(withoutMs), formatMs(withMs), ratio.toFixed(2), `at least ${least}`],
    ok: ratio >= least,
  }
}

async function openMarket(target: Target) {
  const [buyer, seller] = await signUpUsers(target, 2)
  if (!buyer || !seller) throw new Error('nobody signed up')
  return {
    post: async () => stepsOfDeal(target, buyer, seller)[0]?.(),
    async deal() {
      for (const step of stepsOfDeal(target, buyer, seller)) await step()
    },
  }
}

async function timeReleases(silentUrl: string, countingUrl: string): Promise<Times> {
  const silent = openDatabase(silentUrl, () => new Date(), console.error)
  const counting = openDatabase(countingUrl, () => new Date(), console.error)
  const times: Times = [[], []]
  try {
    for (const url of [silentUrl, countingUrl]) await addDuePayments(url, FIRST_DUE, FIRST_DUE + DUE - 1)
    for (let round = 0; round <= ROUNDS; round++) {
      const withoutMs = (await releaseBatches(silent, BATCHES)).msPerRelease
      const withMs = (await releaseBatches(counting, BATCHES)).msPerRelease
      // The first round is a warm-up.
      if (round === 0) continue
      times[0].push(withoutMs)
      times[1].push(withMs)
    }
  } finally {
    await silent.close()
    await counting.close()
  }
  return times
}

async function disableFigureTriggers(url: string): Promise<void> {
  await query(
    url,
    `do $$
     declare it record;
     begin
       for it in select tgrelid::regclass as name, tgname from pg_trigger where tgname ~ '_figures(_rows)?$' loop
         execute format('alter table %s disable trigger %I', it.name, it.tgname);
       end loop;
     end $$`,
  )
}

/** Otherwise a mistake in this benchmark would make the triggers seem free. */
async function checkReleased(url: string, expected: number): Promise<void> {
  const { rows } = await query<{ released: number }>(
    url,
    `select coalesce(sum(value), 0)::integer as released from (
       select value from market_figures where slice = 'all' and grain = 'day' and figure = 'released'
       union all
       select change from figure_changes where figure = 'released'
     ) counted`,
  )
  if (rows[0]?.released !== expected)
    throw new Error(`${rows[0]?.released} releases were counted instead of ${expected}`)
}

async function query<Result extends pg.QueryResultRow>(url: string, statement: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await client.query<Result>(statement)
  } finally {
    await client.end()
  }
}
