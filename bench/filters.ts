import { SEARCH_COUNT_MAX } from '@sought/contract/constants'
import { type ListCursor, SORTS } from '@sought/contract/request-filters'
import type { Database, PooledDb } from '../server/src/database/database.ts'
import { countOpenItems, findOpenItems } from '../server/src/features/board/requests/queries.ts'
import type { ItemFilter } from '../server/src/features/board/requests/search/item-filter.ts'
import { findMatchingItems } from '../server/src/features/board/requests/search/matches-queries.ts'
import { findSimilarItems } from '../server/src/features/board/requests/search/similar-requests-queries.ts'
import { formatMs, type Row, report, timeBoth } from './measure.ts'
import { findCursor } from './search.ts'
import { PLACES } from './seed-requests.ts'
import { median } from './throughput.ts'

const RUNS = 25
const PAGE = 50
/** Limit for the same lists with a hundred times as many requests. */
const MAX_RATIO = 1.5

type Filter = Omit<ItemFilter, 'limit' | 'now' | 'sort' | 'after' | 'search'>

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
const around = (place: keyof typeof PLACES, radiusKm: number): Filter => ({
  area: { ...PLACES[place], radiusKm },
})

/** The filters, and the share of requests that each one lets pass. */
const filters: Record<string, Filter> = {
  'no filter': {},
  'category, 12%': { category: 'Music' },
  'high urgency, 10%': { urgency: 'high' },
  'low urgency, 1%': { urgency: 'low' },
  'with a picture, 40%': { hasImage: true },
  'without a picture, 60%': { hasImage: false },
  'minBudget, 51%': { minBudget: 1_000 },
  'minBudget, 2%': { minBudget: 95_000 },
  'maxBudget, 57%': { maxBudget: 1_000 },
  'maxBudget, 2%': { maxBudget: 3 },
  'minBudget and maxBudget, 19%': { minBudget: 150, maxBudget: 220 },
  'location, 10%': { location: 'Springfield' },
  'location, 1%': { location: 'Avonlea' },
  'location, 20 requests': { location: 'Port Stanley' },
  'near, 9%': around('Springfield', 50),
  'near, 1%': around('Avonlea', 50),
  'near, 18 requests': around('Port Stanley', 50),
  'near, 500 km': around('Avonlea', 500),
  'since an hour': { since: daysAgo(1 / 24) },
  'since a day, 2%': { since: daysAgo(1) },
  'since 30 days, 48%': { since: daysAgo(30) },
  'category and near, 0.1%': { category: 'Music', ...around('Avonlea', 50) },
}

const texts = {
  'no text': undefined,
  'word in 30%': 'walnut',
  'word in 1%': 'brass',
  'word in 20 requests': 'sextant',
}

interface Variant {
  title: string
  /** Returns the number of requests found. */
  read: (db: PooledDb) => Promise<number>
}

const countFound = async (found: Promise<readonly unknown[]>) => (await found).length

/** The filter with every text, in every order, and as a count. */
function variantsOf(filter: Filter): Variant[] {
  return Object.entries(texts).flatMap(([text, search]) => [
    ...SORTS.map((sort) => ({
      title: `${text}, ${sort}`,
      read: (db: PooledDb) =>
        countFound(findOpenItems(db, { ...filter, search, sort, limit: PAGE, now: new Date() })),
    })),
    {
      title: `${text}, count`,
      read: (db: PooledDb) =>
        countOpenItems(db, { ...filter, search, limit: SEARCH_COUNT_MAX + 1, now: new Date() }),
    },
  ])
}

const SUGGESTED = 6

/** The titles differ in their rarest and most frequent words. */
const asked = Array.from({ length: 10 }, (_, at) => ({ title: `request ${at + 1}`, id: at + 1 }))

const sellers = {
  'matches of two categories': { keywords: [], categories: ['Music', 'Sports'] },
  'matches of a frequent and a rare word': { keywords: ['walnut', 'sextant'], categories: [] },
  'matches of words and a part': { keywords: ['walnut brass', 'porcelain bicycle', 'camer'], categories: [] },
  'matches of short parts': { keywords: ['ba', 'ke', 'mi', 'lo', 'tu', 'ra', 'ne'], categories: [] },
}

const suggestions: Record<string, Variant[]> = {
  'similar requests': asked.map(({ title, id }) => ({
    title,
    read: (db) =>
      countFound(findSimilarItems(db, { id, notOf: undefined, limit: SUGGESTED, now: new Date() })),
  })),
  ...Object.fromEntries(
    Object.entries(sellers).map(([title, selling]) => [
      title,
      [
        {
          title: '',
          read: (db: PooledDb) =>
            countFound(findMatchingItems(db, { id: 'bench1', ...selling }, new Date(), { limit: SUGGESTED })),
        },
      ],
    ]),
  ),
}

const LATE_PAGE = 20

/** Page `LATE_PAGE` of long lists. */
function latePages(): Variant[] {
  const lists = {
    'all requests': {},
    'category, 12%': { category: 'Music' },
    'word in 30%': { search: 'walnut' },
  }
  return Object.entries(lists).flatMap(([title, filter]) =>
    SORTS.map((sort) => {
      const cursors = new Map<PooledDb, Promise<ListCursor>>()
      return {
        title: `${title}, ${sort}`,
        read: async (db: PooledDb) => {
          const cursor = cursors.get(db) ?? findCursor(db, { ...filter, sort }, LATE_PAGE)
          cursors.set(db, cursor)
          const after = await cursor
          return countFound(findOpenItems(db, { ...filter, sort, after, limit: PAGE, now: new Date() }))
        },
      }
    }),
  )
}

/**
 * Lists with filters, their late pages, similar requests, and sellers' matches. Each class is the sum of its
 * variants.
 */
export async function compareFilters(small: Database, large: Database): Promise<boolean> {
  const classes = {
    ...Object.fromEntries(Object.entries(filters).map(([title, filter]) => [title, variantsOf(filter)])),
    [`page ${LATE_PAGE}`]: latePages(),
    ...suggestions,
  }
  const rows: Row[] = []
  for (const [title, variants] of Object.entries(classes)) {
    rows.push(await compareVariants(title, variants, small.read, large.read))
  }
  return report(
    `Sum of the medians of ${RUNS} of all variants: with ${Object.keys(texts).length} texts, in ${SORTS.length} orders, counted`,
    ['', '10,000 requests', '1,000,000 requests', 'ratio', 'limit', 'slowest variant'],
    rows,
  )
}

async function compareVariants(
  title: string,
  variants: Variant[],
  small: PooledDb,
  large: PooledDb,
): Promise<Row> {
  let [smallMs, largeMs] = [0, 0]
  let slowest = { variant: '', ratio: 0 }
  for (const { title: variant, read } of variants) {
    // A search without results also tries similar spellings, so it is not compared with one that has results.
    if (((await read(small)) === 0) !== ((await read(large)) === 0)) continue
    const [smalls, larges] = await timeBoth(
      () => read(small),
      () => read(large),
      { warmUp: 3, runs: RUNS },
    )
    smallMs += median(smalls)
    largeMs += median(larges)
    const ratio = median(larges) / median(smalls)
    if (ratio > slowest.ratio) slowest = { variant, ratio }
  }
  const ratio = largeMs / smallMs
  return {
    cells: [
      title,
      formatMs(smallMs),
      formatMs(largeMs),
      ratio.toFixed(2),
      `at most ${MAX_RATIO}`,
      `${slowest.variant} ${slowest.ratio.toFixed(2)}`.trim(),
    ],
    ok: ratio <= MAX_RATIO,
  }
}
