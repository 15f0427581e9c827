import { findOpenItems, type ItemFilter } from '../server/src/features/requests/queries.ts'
import type { PooledDb } from '../server/src/platform/database.ts'
import { milliseconds, p95, type Row, report, timeMs } from './measure.ts'

const WARM_UP = 20
const RUNS = 300
const PAGE = 50
/** How much longer the same search may take with a hundred times as many requests. */
const MOST_TIMES = 2
/** For those whose work grows with the table by their nature. */
const MOST_MS = 25
const MOST_TIMES_OF_PAGE_1 = 1.2

type Kind = { title: string; filter: Omit<ItemFilter, 'limit'>; absolute?: true }

const kinds: Kind[] = [
  { title: 'the first page', filter: {} },
  { title: 'a category', filter: { category: 'Music' } },
  { title: 'a word in 30 % of them', filter: { search: 'walnut' } },
  { title: 'a word in 1 %', filter: { search: 'brass' } },
  { title: 'a word in 20 requests', filter: { search: 'sextant' } },
  { title: 'a word in 40 % of the old half', filter: { search: 'gramophone' } },
  { title: 'a word and a category', filter: { search: 'walnut', category: 'Music' } },
  { title: 'a word, own requests hidden', filter: { search: 'walnut', notOf: 'bench1' } },
  { title: 'two words of 10 % that seldom meet', filter: { search: 'porcelain bicycle' }, absolute: true },
  { title: 'a part of a word', filter: { search: 'camer' } },
  { title: 'a typo', filter: { search: 'camrea' }, absolute: true },
]

/** Each kind of search on both tables, taking turns so that whatever else the machine does hits both alike. */
export async function compareSizes(small: PooledDb, large: PooledDb): Promise<boolean> {
  const rows: Row[] = []
  for (const { title, filter, absolute } of kinds) {
    const [smallMs, largeMs] = await takeTurns([
      () => findOpenItems(small, { ...filter, limit: PAGE }),
      () => findOpenItems(large, { ...filter, limit: PAGE }),
    ])
    const times = largeMs / smallMs
    rows.push({
      cells: [
        title,
        milliseconds(smallMs),
        milliseconds(largeMs),
        times.toFixed(2),
        absolute ? `${MOST_MS} ms` : `${MOST_TIMES} times`,
      ],
      ok: absolute ? largeMs <= MOST_MS : times <= MOST_TIMES,
    })
  }
  return report(
    `p95 of ${RUNS} searches, a page of ${PAGE}`,
    ['', '10,000 requests', '1,000,000 requests', 'times', 'bound'],
    rows,
  )
}

export async function comparePages(db: PooledDb): Promise<boolean> {
  const rows: Row[] = []
  for (const [title, filter] of [
    ['all requests', {}],
    ['a category', { category: 'Music' }],
    ['a word in 30 % of them', { search: 'walnut' }],
  ] as const) {
    const before = await cursorOfPage(db, filter, 500)
    const [firstMs, laterMs] = await takeTurns([
      () => findOpenItems(db, { ...filter, limit: PAGE }),
      () => findOpenItems(db, { ...filter, limit: PAGE, before }),
    ])
    const times = laterMs / firstMs
    rows.push({
      cells: [
        title,
        milliseconds(firstMs),
        milliseconds(laterMs),
        times.toFixed(2),
        `${MOST_TIMES_OF_PAGE_1} times`,
      ],
      ok: times <= MOST_TIMES_OF_PAGE_1,
    })
  }
  return report(
    `p95 of ${RUNS} pages of 1,000,000 requests`,
    ['', 'page 1', 'page 500', 'times', 'bound'],
    rows,
  )
}

/** Walks there, as a reader would. */
async function cursorOfPage(db: PooledDb, filter: Omit<ItemFilter, 'limit'>, page: number): Promise<number> {
  let before: number | undefined
  for (let read = 1; read < page; read++) {
    before = (await findOpenItems(db, { ...filter, before, limit: PAGE })).at(-1)?.id
  }
  if (before === undefined) throw new Error(`there is no page ${page}`)
  return before
}

async function takeTurns(works: [() => Promise<unknown>, () => Promise<unknown>]): Promise<[number, number]> {
  const [one, other] = works
  const times: [number[], number[]] = [[], []]
  for (let run = -WARM_UP; run < RUNS; run++) {
    const [oneMs, otherMs] = [await timeMs(one), await timeMs(other)]
    if (run < 0) continue
    times[0].push(oneMs)
    times[1].push(otherMs)
  }
  return [p95(times[0]), p95(times[1])]
}
