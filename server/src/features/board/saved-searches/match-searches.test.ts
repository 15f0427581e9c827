import { buildQueryString } from '@sought/contract/paths'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changeSettings } from '../../../testing/change-settings.ts'
import { shareWorld } from '../../../testing/world.ts'
import { findSnapshot } from '../requests/queries.ts'
import { saveSearch } from './actions.ts'
import { matchSearches } from './match-searches.ts'

/*
 * Random searches and requests: people are alerted to exactly those requests that the list shows with the filters
 * of their search. No two words are similar, because only the list corrects typos.
 */

const RUNS = 3
const SEARCHES = 27
const REQUESTS = 8

const world = shareWorld({ RATE_LIMIT: 'off' })

const LONG = 'donaudampfschifffahrtsgesellschaft'.repeat(2)
const WORDS = [
  'Brass',
  'GRAMOPHONE',
  'café',
  'Straße',
  '100%',
  'C++',
  '日本語',
  'rock & roll',
  '"mint"',
  'ca*ra',
]
const words = fc.constantFrom(...WORDS, 'No. 5', 'ﬁddle', 'Ünder_score', '🎺', LONG)
const texts = fc.array(words, { minLength: 1, maxLength: 4 }).map((chosen) => chosen.join(' '))
/** Parts of words, as people type them. */
const parts = fc
  .tuple(words, fc.nat(8), fc.integer({ min: 1, max: 40 }), fc.boolean())
  .map(([word, start, length, isLower]) => {
    const part = [...word].slice(start, start + length).join('') || word
    return isLower ? part.toLowerCase() : part
  })
const searches = fc.array(parts, { minLength: 1, maxLength: 2 }).map((chosen) => chosen.join(' '))

const places = [
  ['Paris, Île-de-France', '(2.3488,48.85341)'],
  ['Versailles', '(2.1339,48.8036)'],
  ['Paris, Texas', '(-95.55551,33.66094)'],
  ['Taveuni', '(179.98,-16.9)'],
  ['Vanua Balavu', '(-178.97,-17.2)'],
  ['Anywhere', null],
] as const
const budgets = fc.constantFrom(0, 5, 20, 49.99, 50, 1500.5, 20_000_000)
const CATEGORIES = ['Electronics', 'Automotive', 'Books & Media'] as const
const categories = fc.constantFrom(...CATEGORIES)
const urgencies = fc.constantFrom('low' as const, 'medium' as const, 'high' as const)
const currencies = fc.constantFrom('usd' as const, 'eur' as const)
const days = fc.constantFrom(0, 1, 10, 59)

const requests = fc.record({
  title: texts,
  description: texts,
  category: categories,
  urgency: urgencies,
  currency: currencies,
  budgets: fc.tuple(budgets, budgets),
  place: fc.constantFrom(...places),
  pictureUrls: fc.constantFrom([], [null], ['/files/a.webp'], [null, '/files/a.webp']),
  age: days,
})
type Request = typeof requests extends fc.Arbitrary<infer Value> ? Value : never

const rarely = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { freq: 2, nil: undefined })

const filters = fc
  .record({
    search: fc.option(searches, { nil: undefined }),
    category: rarely(categories),
    urgency: rarely(urgencies),
    currency: rarely(currencies),
    first: rarely(budgets),
    second: rarely(budgets),
    location: rarely(fc.constantFrom('paris', 'ver', 'ile de', 'pa te', 'where', '100%', '...')),
    near: rarely(fc.constantFrom('Paris', 'Paris, Texas', '48.85,2.35', '-17,180', '-17,-179.9', '90,0')),
    radiusKm: rarely(fc.constantFrom(1, 20, 50, 200, 500)),
    age: rarely(days),
    hasImage: rarely(fc.boolean()),
  })
  .map(({ first, second, age, ...others }) => ({
    ...others,
    ...(first !== undefined && second !== undefined
      ? { minBudget: Math.min(first, second), maxBudget: Math.max(first, second) }
      : { minBudget: first, maxBudget: second }),
    since: age === undefined ? undefined : daysAgo(age + 0.5),
  }))
type Filters = Partial<typeof filters extends fc.Arbitrary<infer Value> ? Value : never>

/** One search for each category, so that every request is found by at least one. */
const lists = fc
  .array(filters, { minLength: SEARCHES, maxLength: SEARCHES })
  .map((random): Filters[] => [...CATEGORIES.map((category) => ({ category })), ...random])

const daysAgo = (age: number) => new Date(Date.now() - age * 86_400_000).toISOString()

const COLUMNS =
  'title, description, category, urgency, currency, min_budget, max_budget, location, place, images, created_at'

const valuesOf = ({
  title,
  description,
  category,
  urgency,
  currency,
  budgets: [min, max],
  place,
  pictureUrls,
  age,
}: Request) => [
  ...[
    title,
    description,
    category,
    urgency,
    currency,
    max === 0 ? min : Math.min(min, max),
    max === 0 ? 0 : Math.max(min, max),
  ],
  ...[...place, JSON.stringify(pictureUrls.map(imageOf)), daysAgo(age)],
]

const imageOf = (pictureUrl: string | null) => ({
  url: 'https://a.example/a.webp',
  alt: '',
  pictureUrl,
  width: 20,
  height: 10,
})

async function insertRequest(request: Request): Promise<number> {
  const { rows } = await world().sql.query(
    `insert into wanted_items (${COLUMNS}, user_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9::point, $10, $11, 'owner') returning id`,
    valuesOf(request),
  )
  return rows[0].id
}

/** Pairs of a search's number and a request that the list shows for it. */
async function listed(given: Filters[]): Promise<string[]> {
  const found = await Promise.all(
    given.map(async (filter, at) => {
      const query = buildQueryString({ ...filter, limit: 100 })
      const reply = await world().visitor(`GET /api/wanted-items${query}`)
      expect(reply.statusCode, query).toBe(200)
      return reply.json<{ id: number }[]>().map(({ id }) => `${at} ${id}`)
    }),
  )
  return found.flat().sort()
}

async function takeAlerts(): Promise<string[]> {
  const { rows } = await world().sql.query('delete from search_alerts returning user_id, wanted_item_id')
  return rows
    .map(({ user_id, wanted_item_id }) => `${user_id.slice('seeker'.length)} ${wanted_item_id}`)
    .sort()
}

test('people are alerted to exactly the requests that their saved search lists', {
  tags: ['proof'],
}, async () => {
  const { services, sql } = world()
  const { database, clock } = services
  await changeSettings(services, { currencies: ['usd', 'eur'] })
  await sql.query(`insert into users (id, email) values ('owner', 'owner@example.com')`)
  await sql.query(
    `insert into users (id, email) select 'seeker' || n, n || '@example.com' from generate_series(0, $1 - 1) n`,
    [CATEGORIES.length + SEARCHES],
  )
  let [matches, others] = [0, 0]
  await fc.assert(
    fc.asyncProperty(
      lists,
      fc.array(requests, { minLength: REQUESTS, maxLength: REQUESTS }),
      fc.array(requests, { minLength: REQUESTS, maxLength: REQUESTS }),
      async (given, posted, edited) => {
        await sql.query('delete from wanted_items; delete from saved_searches')
        for (const [at, filter] of given.entries())
          await database.transact((tx) =>
            saveSearch(
              tx,
              { filters: { ...filter, sort: undefined }, alerts: 'daily' },
              { id: `seeker${at}` },
            ),
          )
        const ids: number[] = []
        for (const request of posted) ids.push(await insertRequest(request))
        for (const itemId of ids) await matchSearches(services, { itemId, at: clock() })
        const first = await listed(given)
        expect(await takeAlerts()).toEqual(first)

        for (const [at, itemId] of ids.entries()) {
          const before = await database.transact((tx) => findSnapshot(tx, itemId))
          await sql.query(
            `update wanted_items set (${COLUMNS}) = ($2, $3, $4, $5, $6, $7, $8, $9, $10::point, $11, $12) where id = $1`,
            [itemId, ...valuesOf(edited[at] as Request)],
          )
          await matchSearches(services, { itemId, at: clock(), before })
        }
        const second = await listed(given)
        expect(await takeAlerts()).toEqual(second.filter((pair) => !first.includes(pair)))
        matches += first.length
        others += given.length * REQUESTS - first.length
      },
    ),
    { numRuns: RUNS, endOnFailure: true },
  )
  expect(matches).toBeGreaterThanOrEqual(RUNS * REQUESTS)
  expect(others).toBeGreaterThan(RUNS * SEARCHES)
})
