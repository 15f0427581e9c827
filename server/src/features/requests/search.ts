import type { Sort } from '@sought/contract/request-filters'
import { and, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../platform/database.ts'
import { wantedItems, wantedItemWords } from '../../platform/schema.ts'
import { conditions, type ItemFilter, isOnPage, isOpen, orderBy, orderColumns } from './item-filter.ts'
import {
  findSimilarTerms,
  findTerms,
  firstOf,
  isOnlySearched,
  LAST_POSITION,
  MAX_WORDS,
  REACH,
  SAMPLE,
  type Term,
} from './search-terms.ts'

/*
 * Search (ADR 30, 61). wanted_item_words lists the open requests of each word and filter in every sort order. A search
 * walks the list itself if most requests match, and else the list of the rarest term. It checks each request for the
 * other terms. If too few requests match, it falls back to a GIN index. Requests that have expired since the last sweep
 * are still listed; they have the lowest positions, so that leaving them out only shortens the last page.
 */

/** Disabled so that the planner uses the GIN index; JIT compilation would take longer than the search. */
const DISABLED_SETTINGS = ['enable_seqscan', 'enable_indexscan', 'jit']

/** Many of the requests that a filter finds may not pass it, and terms depend on each other. */
const SAFETY = 4

/** How far a search with a single term walks that finds many requests which do not pass the filter. */
const FAR = 20 * REACH

/** Counted for a term that no request of the sample has. */
const RARELY = 0.5

/** The costs of a request that is found by a term, and of an entry of a term with several words. In the list it is 1. */
const COST_OF_WALK = 1.7
const COST_OF_ENTRY = 0.1

/** Reads those requests that have not expired, given an SQL array of their positions, in the order of the list. */
type Read<Item> = (db: Db, positions: SQL, now: Date, sort: Sort) => Promise<Item[]>

/**
 * The first open requests that pass the filters and contain every searched word, also as part of a word. If there are
 * none, those with a similar spelling.
 */
export async function searchOpenItems<Item>(db: Db, filter: ItemFilter, read: Read<Item>): Promise<Item[]> {
  const terms = await findTerms(db, filter)
  const items = await findMatching(db, terms, filter, read)
  if (items.length > 0 || !terms.some(({ kind }) => kind === 'text')) return items
  // An empty later page is the end of a search that had matches, so we do not try similar spellings.
  if (filter.after) {
    const first = await searchAsTyped(db, { ...filter, after: undefined, limit: 1 }, read)
    if (first.length > 0) return []
  }
  return findMatching(db, await findSimilarTerms(db, terms, filter), filter, read)
}

async function searchAsTyped<Item>(db: Db, filter: ItemFilter, read: Read<Item>) {
  return findMatching(db, await findTerms(db, filter), filter, read)
}

async function findMatching<Item>(db: Db, terms: Term[], filter: ItemFilter, read: Read<Item>) {
  if (terms.some(({ words }) => words?.length === 0)) return []
  const { limit, now, sort = 'newest' } = filter
  const [rarest, ...others] = terms.toSorted(compareRarity)
  if (!rarest) return read(db, wholeList(filter), now, sort)

  const isComplete = rarest.entries < REACH || isOnlyCondition(rarest, others, filter)
  const [ofList, ofTerm] = [limit / shareOf(terms), limit / shareOf(others)]
  if (ofList <= REACH && ofList <= termCost(rarest, ofTerm)) {
    const items = await read(db, walkList(terms, filter, REACH), now, sort)
    if (items.length === limit) return items
  }
  for (const reach of isComplete ? [REACH] : reachesOf(rarest, ofTerm)) {
    const items = await read(db, walk(rarest, others, filter, reach), now, sort)
    if (items.length === limit || isComplete) return items
  }
  if (others.length === 0) {
    const items = await read(db, walk(rarest, others, filter, FAR), now, sort)
    if (items.length === limit) return items
  }
  return intersect(db, terms, filter, read)
}

/** Terms that are walked to their end come first, then those with the fewest requests at the start of the list. */
function compareRarity(one: Term, other: Term): number {
  const isRare = Math.min(one.entries, other.entries) < REACH
  if (isRare) return one.entries - other.entries
  return one.sampled - other.sampled || (one.words?.length ?? MAX_WORDS) - (other.words?.length ?? MAX_WORDS)
}

/** The share of requests that have all terms, if these are independent of each other. */
const shareOf = (terms: Term[]) =>
  terms.reduce((share, { sampled }) => (share * Math.max(sampled, RARELY)) / SAMPLE, 1)

/**
 * How far to walk a term of which this number of requests probably fills the page. Of a term with several words, all
 * entries up to there are sorted, so the first try is short. Nothing if it is too far.
 */
function reachesOf({ words }: Term, rows: number): number[] {
  if (rows > REACH) return []
  const reach = Math.ceil(rows * SAFETY)
  return words && words.length > 1 && reach < REACH ? [reach, REACH] : [REACH]
}

/** The cost of walking this number of requests of a term. A request of the list costs 1. */
function termCost({ words }: Term, rows: number): number {
  const entries = words && words.length > 1 ? words.length * Math.min(rows * SAFETY, REACH) : 0
  return rows * COST_OF_WALK + entries * COST_OF_ENTRY
}

/** Whether this term is the only condition, so that the walk skips no request. */
function isOnlyCondition(term: Term, others: Term[], filter: ItemFilter): boolean {
  return term.kind === 'text' && term.words !== null && others.length === 0 && isOnlySearched(filter)
}

/** Walks the requests with the rarest term in the order of the list, and skips those without the other terms. */
function walk(rarest: Term, others: Term[], filter: ItemFilter, reach: number): SQL {
  const { limit, sort } = filter
  if (isOnlyCondition(rarest, others, filter))
    return sql`array(
    select position from (${firstWith(rarest, filter, limit)}) wanted_item_words
  )`
  // `offset 0` keeps the planner from turning the walk into a full join.
  return sql`array(
    select wanted_item_words.position
    from (${firstWith(rarest, filter, reach)}) wanted_item_words, lateral (
      select from wanted_items
      where position = wanted_item_words.position and ${and(...conditions(filter), ...checksOf(rarest, others))} offset 0
    ) fits
    order by ${orderBy(sort, wantedItemWords)} limit ${limit}
  )`
}

/** Walks the list itself, and skips what does not match. */
function walkList(terms: Term[], filter: ItemFilter, reach: number): SQL {
  const { limit, sort } = filter
  return sql`array(
    select position
    from (
      select * from wanted_items
      where ${isOpen} and ${isOnPage(filter)} order by ${orderBy(sort)} limit ${reach}
    ) wanted_items
    where ${and(...conditions(filter), ...terms.map(hasTerm))}
    order by ${orderBy(sort)} limit ${limit}
  )`
}

/** The list itself, for filters without terms, which nearly all requests pass. */
function wholeList(filter: ItemFilter): SQL {
  return sql`array(
    select position from wanted_items
    where ${and(...conditions(filter), isOnPage(filter))} order by ${orderBy(filter.sort)} limit ${filter.limit}
  )`
}

/** The first requests of the list with one of the words of a term. */
function firstWith({ words }: Term, filter: ItemFilter, reach: number): SQL {
  const { sort } = filter
  if (!words) {
    return sql`
      select ${orderColumns(sort)} from wanted_items
      where ${isOpen} and ${isOnPage(filter)} order by ${orderBy(sort)} limit ${reach}`
  }
  if (words.length === 1) return firstOf(sql`${words[0]}`, filter, reach)
  return sql`
    select distinct wanted_item_words.*
    from unnest(${sql.param(words)}::text[]) sought (word), lateral (${firstOf(sql`sought.word`, filter, reach)}) wanted_item_words
    order by ${orderBy(sort, wantedItemWords)} limit ${reach}`
}

/**
 * The first requests with all terms, found by the GIN index. Other plans would read the whole table, but the planner
 * cannot estimate how rarely words occur together.
 */
function intersect<Item>(db: Db, terms: Term[], filter: ItemFilter, read: Read<Item>) {
  const { now, sort = 'newest' } = filter
  const matching = sql`
    select position from wanted_items
    where ${and(...conditions(filter), isOnPage(filter), ...indexConditions(terms), ...locationChecks(terms))}
    order by ${orderBy(sort)} limit ${filter.limit}`
  return db.transaction(async (tx) => {
    await tx.execute(
      sql`select set_config(name, 'off', true) from unnest(${sql.param(DISABLED_SETTINGS)}::text[]) name`,
    )
    return read(tx, sql`array(${matching})`, now, sort)
  })
}

/** What to check for a request that has the rarest term. */
function checksOf(rarest: Term, others: Term[]): SQL[] {
  const isChecked = rarest.words === null || rarest.kind === 'location'
  return (isChecked ? [...others, rarest] : others).map(hasTerm)
}

/** Whether the current request has a term. Filters are checked by their conditions. */
function hasTerm({ kind, words, part }: Term): SQL {
  if (kind === 'filter') return sql`true`
  const own = kind === 'location' ? sql`search_lexemes(${wantedItems.location})` : wantedItems.words
  if (words) return sql`${own} && ${sql.param(words)}::text[]`
  return sql`exists (select from unnest(${own}) word where word like ${likePattern(part)})`
}

const locationChecks = (terms: Term[]) => terms.filter(({ kind }) => kind === 'location').map(hasTerm)

/**
 * The conditions for the GIN index. Terms with exactly one word are combined, which is fastest. The subquery makes
 * PostgreSQL look up the words once; without it, a plan that filters row by row calls the function for every row.
 */
function indexConditions(terms: Term[]): SQL[] {
  const [marked, worded] = [terms.filter(isMark), terms.filter((term) => !isMark(term))]
  const single = worded.flatMap(({ words }) => (words?.length === 1 ? words : []))
  const others = worded.filter(({ words }) => words?.length !== 1)
  return [
    ...(single.length > 0 ? [sql`${wantedItems.words} @> ${sql.param(single)}::text[]`] : []),
    ...others.map(({ part, words }) =>
      words
        ? sql`${wantedItems.words} && ${sql.param(words)}::text[]`
        : sql`${wantedItems.words} && (select search_words_with(${part}, ${LAST_POSITION - 1}))`,
    ),
    ...marked.map(({ words }) => sql`${wantedItems.marks} && ${sql.param(words)}::text[]`),
  ]
}

const isMark = ({ words }: Term) => words?.[0]?.startsWith(':') ?? false

/** The same rule as in search_words_with: short parts must begin a word, longer ones may be anywhere in it. */
function likePattern(part: string | null): string {
  const text = (part ?? '').replace(/[\\%_]/g, '\\$&')
  return [...(part ?? '')].length < 3 ? `${text}%` : `%${text}%`
}
