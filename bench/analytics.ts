import { getAnalytics } from '@sought/contract/analytics'
import pg from 'pg'
import { readResponse } from './home-during-releases.ts'
import { formatMs, p95, type Row, report, timeBoth } from './measure.ts'
import { startReleaseServer } from './release-server.ts'
import { createMarket } from './seed-payments.ts'

const PAYMENTS = 1_000_000
const CATEGORIES = 12
const COUNTRIES = 30
const DAYS = 365
const MAX_RATIO = 2
const RUNS = 100

/**
 * Spreads the figures of the payments evenly over days, categories and countries, as the job would have written them.
 * This measures reading. What the triggers cost a write is not measured: the seeds of the benches disable them.
 */
const FIGURES = `
  insert into market_figures (slice, grain, start, name, figure, value)
  select slice, grain, date_trunc(grain, day)::date, name, figure, sum(value / parts)
  from generate_series(current_date - ${DAYS - 1}, current_date, interval '1 day') day,
    unnest(array['day', 'month']) grain,
    lateral (
      select 'all' as slice, '' as name, 1 as parts
      union all select 'category', 'Category ' || n, ${CATEGORIES} from generate_series(1, ${CATEGORIES}) n
      union all select 'country', 'C' || n, ${COUNTRIES} from generate_series(1, ${COUNTRIES}) n
    ) slices,
    unnest($1::text[]) figure,
    lateral (select ${PAYMENTS} / ${DAYS} as value) counted
  group by slice, grain, date_trunc(grain, day)::date, name, figure`

/** Reads a year of an empty market and of one with a million payments, alternately. */
export async function compareAnalytics(adminUrl: string): Promise<boolean> {
  const emptyUrl = await createMarket(adminUrl, 'sought_bench_empty_year')
  const fullUrl = await createMarket(adminUrl, 'sought_bench_full_year')
  await seedFigures(fullUrl)
  const [empty, full] = [await startReleaseServer(emptyUrl), await startReleaseServer(fullUrl)]
  const rows: Row[] = []
  try {
    for (const by of ['day', 'week', 'month']) {
      const path = `${getAnalytics.path}?${new URLSearchParams({ ...lastYear(), by })}`
      const read = (server: typeof empty) => () =>
        readResponse(server.port, path, { cookie: server.adminCookie })
      const [emptyTimes, fullTimes] = await timeBoth(read(empty), read(full), { warmUp: 10, runs: RUNS })
      const [emptyMs, fullMs] = [p95(emptyTimes), p95(fullTimes)]
      rows.push({
        cells: [`by ${by}`, formatMs(emptyMs), formatMs(fullMs), formatMs(MAX_RATIO * emptyMs)],
        ok: fullMs <= MAX_RATIO * emptyMs,
      })
    }
  } finally {
    empty.stop()
    full.stop()
  }
  return report(
    `p95 of ${RUNS} requests for the analytics of a year`,
    ['', 'empty market', '1,000,000 payments', 'limit'],
    rows,
  )
}

async function seedFigures(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(FIGURES, [
      [
        'requests',
        'offers',
        'accepted',
        'paid',
        'released',
        'volume',
        'fees',
        'disputed',
        'refunded',
        'processingFees',
        'providerCosts',
        'returning',
      ],
    ])
    await client.query('analyze market_figures')
  } finally {
    await client.end()
  }
}

function lastYear() {
  const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)
  return { from: day(DAYS - 1), to: day(0) }
}
