import { setTimeout as wait } from 'node:timers/promises'
import { getAnalytics } from '@sought/contract/analytics'
import { fillPath } from '@sought/contract/call'
import { getPerson, lookUp } from '@sought/contract/lookup'
import { getOverview } from '@sought/contract/overview'
import { type Database, openDatabase } from '../server/src/database/database.ts'
import { foldFigures } from '../server/src/features/desk/analytics/fold-figures.ts'
import { releaseDue } from '../server/src/features/money/payments/release-payments.ts'
import { readResponse } from './home-during-releases.ts'
import { formatMs, p50, p95, type Row, report, timeBoth, timeMs } from './measure.ts'
import { startReleaseServer } from './release-server.ts'
import { addYear, createMarket, SELLER_ID } from './seed-deals.ts'

/*
 * Opens the pages of the back office in an empty market and in one with a million payments in a year, alternately.
 * The same job as in production counts the figures of the year (ADR 84).
 */

const PAYMENTS = 1_000_000
const DAYS = 365
const RUNS = 100
const MAX_RATIO = 2
/** Extra time for reading and sending results, because an empty market has none. */
const ALLOWANCE_MS = 10
const RELEASES = 30
const MANY_RELEASES = 1_000
const MAX_DELAY_MS = 10_000

const lookup = (q: string) => `${lookUp.path}?${new URLSearchParams({ q })}`

const desk = {
  overview: getOverview.path,
  'lookup by first name': lookup('Bench'),
  'lookup by last name': lookup('Person 77'),
  'lookup by email': lookup('person4711@example.org'),
  'lookup by title': lookup('Lamp 4711'),
  'lookup by id': lookup('654321'),
  'lookup by card': lookup('4242'),
  'lookup by payment intent': lookup('pi_bench654321'),
  'lookup by transfer': lookup('tr_bench654321'),
  'lookup by tracking number': lookup('BENCH654321'),
  'lookup of nothing': lookup('zzz'),
  'page of a seller': fillPath(getPerson.path, { id: SELLER_ID }),
}

export async function measureAnalytics(adminUrl: string): Promise<boolean> {
  const emptyUrl = await createMarket(adminUrl, 'sought_bench_empty_year')
  const fullUrl = await createMarket(adminUrl, 'sought_bench_full_year')
  await addYear(fullUrl, PAYMENTS, console.log)
  const database = openDatabase(fullUrl, () => new Date(), console.error)
  const [empty, full] = [await startReleaseServer(emptyUrl), await startReleaseServer(fullUrl)]
  const compare = (calls: Record<string, string>, allowanceMs: number) =>
    compareCalls(empty, full, calls, allowanceMs)
  try {
    const countMs = await timeMs(() => foldFigures({ database }))
    console.log(`All figures were counted in ${Math.round(countMs / 1000)} s`)
    const verdicts = [
      report(`${RUNS} requests for the analytics of a year`, COLUMNS, await compare(analyticsOfYear(), 0)),
      report(`${RUNS} requests of the back office`, COLUMNS, await compare(desk, ALLOWANCE_MS)),
      await measureDelay(database, full),
    ]
    return verdicts.every(Boolean)
  } finally {
    empty.stop()
    full.stop()
    await database.close()
  }
}

const COLUMNS = ['', 'empty market', '1,000,000 payments', 'ratio', 'limit']

type Server = Awaited<ReturnType<typeof startReleaseServer>>

async function compareCalls(
  empty: Server,
  full: Server,
  calls: Record<string, string>,
  allowanceMs: number,
): Promise<Row[]> {
  const rows: Row[] = []
  for (const [title, path] of Object.entries(calls)) {
    const read = (server: Server) => () => readResponse(server.port, path, { cookie: server.adminCookie })
    const times = await timeBoth(read(empty), read(full), { warmUp: 10, runs: RUNS })
    for (const [name, percentile] of Object.entries({ median: p50, '95 % within': p95 })) {
      const [emptyMs, fullMs] = [percentile(times[0]), percentile(times[1])]
      const limitMs = MAX_RATIO * emptyMs + allowanceMs
      rows.push({
        cells: [
          `${title}, ${name}`,
          formatMs(emptyMs),
          formatMs(fullMs),
          (fullMs / emptyMs).toFixed(2),
          formatMs(limitMs),
        ],
        ok: fullMs <= limitMs,
      })
    }
  }
  return rows
}

function analyticsOfYear() {
  const dayOf = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)
  const year = { from: dayOf(DAYS - 1), to: dayOf(0) }
  const path = (by: string) => `${getAnalytics.path}?${new URLSearchParams({ ...year, by })}`
  return { 'by day': path('day'), 'by week': path('week'), 'by month': path('month') }
}

/** Releases payments, one by one and many at once, and waits until the analytics count them. */
async function measureDelay(database: Database, server: Server): Promise<boolean> {
  const releaseAndWait = async (payments: number) => {
    await makeDue(database, payments)
    const before = await readReleased(server)
    await releaseDue({ database })
    return timeMs(async () => {
      while ((await readReleased(server)) < before + payments) await wait(1)
    })
  }
  const delays: number[] = []
  for (let run = 0; run < RELEASES; run++) {
    delays.push(await releaseAndWait(1))
    // Folds after every second release, so that both folded and unfolded changes are measured.
    if (run % 2) await foldFigures({ database })
  }
  const manyMs = await releaseAndWait(MANY_RELEASES)
  const foldMs = await timeMs(() => foldFigures({ database }))
  const rows = {
    [`one payment, longest of ${RELEASES}`]: Math.max(...delays),
    [`${MANY_RELEASES} payments`]: manyMs,
    'the job that folds them': foldMs,
  }
  return report(
    'From a release until the analytics count it',
    ['', 'time', 'limit'],
    Object.entries(rows).map(([title, ms]) => ({
      cells: [title, formatMs(ms), formatMs(MAX_DELAY_MS)],
      ok: ms <= MAX_DELAY_MS,
    })),
  )
}

async function makeDue({ pool }: Database, payments: number): Promise<void> {
  await pool.query(
    `update payments set escrow_hold_until = now() where id in (
       select id from payments where status = 'held_in_escrow' order by escrow_hold_until limit $1)`,
    [payments],
  )
}

async function readReleased({ port, adminCookie }: Server): Promise<number> {
  const url = `http://127.0.0.1:${port}${analyticsOfYear()['by month']}`
  const reply = await fetch(url, { headers: { cookie: adminCookie } })
  return getAnalytics.reply.parse(await reply.json()).totals.released
}
