import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { signUp } from '@sought/contract/accounts'
import type { RequestFilters } from '@sought/contract/request-filters'
import { postWantedItem } from '@sought/contract/requests'
import { pino } from 'pino'
import { buildApp } from '../server/src/app.ts'
import { readConfig } from '../server/src/core/config.ts'
import { createServices } from '../server/src/create-services.ts'
import type { Database } from '../server/src/database/database.ts'
import { buildIndex } from '../server/src/features/board/saved-searches/build-index.ts'
import { matchSearches } from '../server/src/features/board/saved-searches/match-searches.ts'
import { insertSearch } from '../server/src/features/board/saved-searches/queries.ts'
import { formatMs, p50, p95, report, timeMs } from './measure.ts'

/*
 * Posts requests with and without saved searches (ADR 64), and measures the call and the job that matches the
 * request.
 */

const SEARCHES = 100_000
/** The number of people who share a search. They differ in the time of their alerts. */
const COPIES = 10
const PEOPLE = 10_000
const POSTS = 200
const WARM_UP = 20
const MAX_RATIO = 2

const PLACES = ['Paris', 'Leeds', 'Chicago', 'Osaka', 'Nairobi', 'Lima', 'Hamburg', 'Ipoh', 'Quito', 'Perth']
const placeOf = (n: number) => PLACES[n % PLACES.length] ?? ''

interface Item {
  title: string
  description: string
  category: string
}

/**
 * Nine of ten searches are for two words of an existing title, half of them with filters too. So about ten people
 * are alerted to a new request with that title. The other searches have only filters.
 */
function filtersOf({ title, category }: Item, n: number): RequestFilters {
  const search = title.split(' ').slice(0, 2).join(' ')
  const kinds: [percent: number, filters: RequestFilters][] = [
    [45, { search }],
    [15, { search, category }],
    [10, { search, minBudget: 10 + (n % 50), maxBudget: 100 + (n % 200) }],
    [5, { search, near: placeOf(n), radiusKm: 50 }],
    [5, { search, location: placeOf(n) }],
    [5, { search, hasImage: n % 2 === 0 }],
    [5, { search, since: '2026-01-01', sort: 'budget' }],
    [5, { near: `${(n * 7) % 90},${(n * 13) % 180}`, radiusKm: 10 + (n % 100), category }],
    [2, { near: `${-(n * 7) % 90},${(n * 13) % 180}`, radiusKm: 10 + (n % 100) }],
    [2, { category, minBudget: 1000 + n, urgency: 'high' }],
    [1, { location: title, maxBudget: 100 + (n % 200) }],
  ]
  let percent = n % 100
  for (const [share, filters] of kinds) {
    percent -= share
    if (percent < 0) return filters
  }
  throw new Error('the shares do not add up to 100')
}

/** Both databases have the same requests. The second gets saved searches. */
export async function comparePosting(without: Database, withSearches: Database): Promise<boolean> {
  await seedSearches(withSearches)
  const [none, many] = [await openMarket(without), await openMarket(withSearches)]
  try {
    const times: [number[], number[]] = [[], []]
    // Alternately, so that other load on the machine affects both.
    for (let run = -WARM_UP; run < POSTS; run++) {
      const [noneMs, manyMs] = [await timeMs(() => none.post(run)), await timeMs(() => many.post(run))]
      if (run < 0) continue
      times[0].push(noneMs)
      times[1].push(manyMs)
    }
    const percentiles = { median: p50, '95 % within': p95 }
    const rows = Object.entries(percentiles).map(([title, percentile]) => {
      const [noneMs, manyMs] = [percentile(times[0]), percentile(times[1])]
      const ratio = manyMs / noneMs
      return {
        cells: [title, formatMs(noneMs), formatMs(manyMs), ratio.toFixed(2), `at most ${MAX_RATIO}`],
        ok: ratio <= MAX_RATIO,
      }
    })
    const alerts = await withSearches.pool.query('select from search_alerts')
    const perPost = ((alerts.rowCount ?? 0) / (POSTS + WARM_UP)).toFixed(1)
    return report(
      `Posting a request and matching it with saved searches, ${perPost} people alerted of each`,
      ['', 'no searches', `${SEARCHES.toLocaleString('en')} searches`, 'ratio', 'limit'],
      rows,
    )
  } finally {
    await none.close()
    await many.close()
  }
}

async function seedSearches({ pool, transact }: Database): Promise<void> {
  const { rows } = await pool.query<Item>(
    `select title, description, category from wanted_items order by id limit ${SEARCHES / COPIES}`,
  )
  await pool.query(
    `insert into users (id, email, email_verified_at)
     select 'seeker' || n, 'seeker' || n || '@example.com', now() from generate_series(0, ${PEOPLE - 1}) n`,
  )
  await transact(async (tx) => {
    for (const [n, item] of rows.entries()) {
      const filters = filtersOf(item, n)
      const index = await buildIndex(tx, filters)
      await insertSearch(tx, {
        userId: `seeker${n % PEOPLE}`,
        name: 'Search',
        filters,
        alerts: 'daily',
        ...index,
      })
    }
  })
  await pool.query(
    `insert into saved_searches (user_id, name, filters, alerts, parts, location_parts, area, keys)
     select 'seeker' || (id + 100 * n) % ${PEOPLE}, name, filters,
       case n % 5 when 0 then 'immediately' when 1 then 'off' else 'daily' end, parts, location_parts, area, keys
     from saved_searches, generate_series(1, ${COPIES - 1}) n`,
  )
  await pool.query('vacuum analyze saved_searches, users')
}

/** A server whose posts repeat titles and descriptions of other requests. */
async function openMarket({ pool }: Database) {
  const dataDir = join(tmpdir(), `sought-bench-${process.pid}-${crypto.randomUUID()}`)
  const databaseUrl = pool.options.connectionString ?? ''
  const config = readConfig({
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    RATE_LIMIT: 'off',
    LOAD_SHEDDING: 'off',
  })
  const log = pino({ level: 'silent' })
  const services = await createServices(config, databaseUrl, () => new Date(), log)
  const app = await buildApp(services, { ready: true }, log)
  const { rows } = await pool.query<Item>(
    `select title, category, urgency, lead(description, 7, description) over (order by id) as description
     from wanted_items order by id limit ${POSTS + WARM_UP}`,
  )
  const account = { email: 'poster@example.com', password: 'correct horse', firstName: 'P', lastName: 'P' }
  const signedUp = await app.inject({ method: 'POST', url: signUp.path, body: account })
  const cookie = String(signedUp.headers['set-cookie']).split(';')[0] ?? ''
  return {
    async post(run: number) {
      const n = run + WARM_UP
      const body = { ...rows[n], location: placeOf(n), minBudget: 10, maxBudget: 200 }
      const reply = await app.inject({ method: 'POST', url: postWantedItem.path, body, headers: { cookie } })
      if (reply.statusCode !== 201) throw new Error(`a post was answered with ${reply.statusCode}`)
      await matchSearches(services, { itemId: reply.json().id, at: services.clock() })
    },
    async close() {
      await services.events.stop()
      await services.sandbox?.close()
      await app.close()
      await services.database.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
