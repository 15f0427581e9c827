import type { ListCursor, Sort } from '@sought/contract/request-filters'
import type { PooledDb } from '../server/src/database/database.ts'
import { findOpenItems, type Row as Item } from '../server/src/features/board/requests/queries.ts'
import type { ItemFilter } from '../server/src/features/board/requests/search/item-filter.ts'
import { formatMs, p95, type Row, report, timeBoth } from './measure.ts'
import { PLACES } from './seed-requests.ts'

const WARM_UP = 20
const RUNS = 300
const PAGE = 50
/** Limit for the same search with a hundred times as many requests. */
const MAX_RATIO = 1.5
/** Limit for searches whose cost depends on the size of the table. */
const MAX_MS = 25
const MAX_PAGE_RATIO = 1.2

type Case = { title: string; filter: Omit<ItemFilter, 'limit' | 'now'>; absolute?: true }

const cases: Case[] = [
  { title: 'first page', filter: {} },
  { title: 'category', filter: { category: 'Music' } },
  { title: 'word in 30%', filter: { search: 'walnut' } },
  { title: 'word in 1%', filter: { search: 'brass' } },
  { title: 'word in 20 requests', filter: { search: 'sextant' } },
  { title: 'word in 40% of the older half', filter: { search: 'gramophone' } },
  { title: 'word and category', filter: { search: 'walnut', category: 'Music' } },
  { title: 'word, own requests hidden', filter: { search: 'walnut', notOf: 'bench1' } },
  {
    title: 'two words of 10% that rarely occur together',
    filter: { search: 'porcelain bicycle' },
    absolute: true,
  },
  { title: 'part of a word', filter: { search: 'camer' } },
  { title: 'typo', filter: { search: 'camrea' }, absolute: true },
]

export async function compareSizes(small: PooledDb, large: PooledDb): Promise<boolean> {
  const rows: Row[] = []
  for (const { title, filter, absolute } of cases) {
    const [smallMs, largeMs] = await compareP95(
      () => findOpenItems(small, { ...filter, limit: PAGE, now: new Date() }),
      () => findOpenItems(large, { ...filter, limit: PAGE, now: new Date() }),
    )
    const ratio = largeMs / smallMs
    rows.push({
      cells: [
        title,
        formatMs(smallMs),
        formatMs(largeMs),
        ratio.toFixed(2),
        absolute ? `at most ${MAX_MS} ms` : `at most ${MAX_RATIO}`,
      ],
      ok: absolute ? largeMs <= MAX_MS : ratio <= MAX_RATIO,
    })
  }
  return report(
    `p95 of ${RUNS} searches, a page of ${PAGE}`,
    ['', '10,000 requests', '1,000,000 requests', 'ratio', 'limit'],
    rows,
  )
}

export async function comparePages(db: PooledDb): Promise<boolean> {
  const rows: Row[] = []
  for (const [title, filter] of [
    ['all requests', {}],
    ['category', { category: 'Music' }],
    ['word in 30%', { search: 'walnut' }],
    ['by budget', { sort: 'budget' }],
    ['word in 30%, by expiry', { search: 'walnut', sort: 'expiring' }],
    ['near, by budget', { area: { ...PLACES.Springfield, radiusKm: 50 }, sort: 'budget' }],
  ] as const) {
    const after = await findCursor(db, filter, 500)
    const [firstMs, laterMs] = await compareP95(
      () => findOpenItems(db, { ...filter, limit: PAGE, now: new Date() }),
      () => findOpenItems(db, { ...filter, limit: PAGE, after, now: new Date() }),
    )
    const ratio = laterMs / firstMs
    rows.push({
      cells: [title, formatMs(firstMs), formatMs(laterMs), ratio.toFixed(2), `at most ${MAX_PAGE_RATIO}`],
      ok: ratio <= MAX_PAGE_RATIO,
    })
  }
  return report(
    `p95 of ${RUNS} pages of 1,000,000 requests`,
    ['', 'page 1', 'page 500', 'ratio', 'limit'],
    rows,
  )
}

/** Reads all previous pages, like a user. */
export async function findCursor(
  db: PooledDb,
  filter: Omit<ItemFilter, 'limit' | 'now'>,
  page: number,
): Promise<ListCursor> {
  let after: ListCursor | undefined
  for (let read = 1; read < page; read++) {
    const last = (await findOpenItems(db, { ...filter, after, limit: PAGE, now: new Date() })).at(-1)
    after = last && cursorOf(last, filter.sort)
  }
  if (after === undefined) throw new Error(`there is no page ${page}`)
  return after
}

function cursorOf({ maxBudget, expiresAt, position }: Item, sort: Sort = 'newest'): ListCursor {
  const keys = { newest: undefined, budget: maxBudget, expiring: new Date(expiresAt).getTime() }
  return { key: keys[sort], position }
}

async function compareP95(
  one: () => Promise<unknown>,
  other: () => Promise<unknown>,
): Promise<[number, number]> {
  const [ones, others] = await timeBoth(one, other, { warmUp: WARM_UP, runs: RUNS })
  return [p95(ones), p95(others)]
}
