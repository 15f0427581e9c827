import type { Sort } from '@sought/contract/request-filters'
import { and, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../platform/database.ts'
import { wantedItems } from '../../platform/schema.ts'
import { conditions, type ItemFilter, indexedConditions, isOpen, orders } from './item-filter.ts'
import {
  findSimilarTerms,
  findTerms,
  firstPosition,
  isOnlySearched,
  LAST_POSITION,
  newestOfSought,
  REACH,
  type Term,
} from './search-terms.ts'

/*
 * Search (ADR 30, 61). wanted_item_words maps each word to the positions of its open requests. A search for one word
 * walks its positions from the newest. For several words, it walks the rarest and checks each request for the others.
 * Filters without a text, and lists in another order, first walk the list itself. If too few requests match, a search
 * falls back to a GIN index. Requests that have expired since the last sweep are still in the indexes; they have the
 * lowest positions, so that leaving them out only shortens the last page.
 */

/** Disabled so that the planner uses the GIN index; JIT compilation would take longer than the search. */
const DISABLED_SETTINGS = ['enable_seqscan', 'enable_indexscan', 'jit']

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
  return findMatching(db, await findSimilarTerms(db, terms, firstPosition(filter)), filter, read)
}

async function searchAsTyped<Item>(db: Db, filter: ItemFilter, read: Read<Item>) {
  return findMatching(db, await findTerms(db, filter), filter, read)
}

async function findMatching<Item>(db: Db, terms: Term[], filter: ItemFilter, read: Read<Item>) {
  if (terms.some(({ words }) => words?.length === 0)) return []
  const { limit, now, sort = 'newest' } = filter
  const [rarest, ...others] = terms.toSorted(compareRarity)
  if (rarest && rarest.entries < REACH) return read(db, walkAll(rarest, others, filter), now, sort)

  const isNewestOfText = sort === 'newest' && terms.some(({ kind }) => kind === 'text')
  if (!isNewestOfText) {
    const items = await read(db, walkList(terms, filter), now, sort)
    if (items.length === limit) return items
  }
  if (rarest && sort === 'newest') {
    const items = await read(db, walk(rarest, others, filter), now, sort)
    if (items.length === limit || isOnlyCondition(rarest, others, filter)) return items
  }
  return intersect(db, terms, filter, read)
}

function compareRarity(one: Term, other: Term): number {
  if (one.entries !== other.entries) return one.entries < other.entries ? -1 : 1
  return (one.words?.length ?? 0) - (other.words?.length ?? 0)
}

/** Whether this term is the only condition, so that the walk skips no request. */
function isOnlyCondition(term: Term, others: Term[], filter: ItemFilter): boolean {
  return term.kind === 'text' && term.words !== null && others.length === 0 && isOnlySearched(filter)
}

/** Walks the requests with the rarest term from the newest, and skips those without the other terms. */
function walk(rarest: Term, others: Term[], filter: ItemFilter): SQL {
  const { limit } = filter
  if (isOnlyCondition(rarest, others, filter)) return sql`array(${newest(rarest, filter, limit)})`
  // `offset 0` keeps the planner from turning the walk into a full join.
  return sql`array(
    select candidate.position
    from (${newest(rarest, filter, REACH)}) candidate, lateral (
      select from wanted_items
      where position = candidate.position and ${and(...conditions(filter), ...checksOf(rarest, others))} offset 0
    ) fits
    order by candidate.position desc limit ${limit}
  )`
}

/** Reads all requests with the rarest term, which are few, and sorts those that match. */
function walkAll(rarest: Term, others: Term[], filter: ItemFilter): SQL {
  const { sort = 'newest', limit } = filter
  if (sort === 'newest') return walk(rarest, others, filter)
  return sql`array(
    select wanted_items.position
    from (${newest(rarest, filter, REACH)}) candidate
    join wanted_items on wanted_items.position = candidate.position
    where ${and(...conditions(filter), ...pageConditions(filter), ...checksOf(rarest, others))}
    order by ${orders[sort].by} limit ${limit}
  )`
}

/** Walks the list in its own order, and skips what does not match. */
function walkList(terms: Term[], filter: ItemFilter): SQL {
  const { by } = orders[filter.sort ?? 'newest']
  return sql`array(
    select position
    from (
      select * from wanted_items
      where ${and(...indexedConditions(filter), ...pageConditions(filter))} order by ${by} limit ${REACH}
    ) wanted_items
    where ${and(...conditions(filter), ...terms.map(hasTerm))}
    order by ${by} limit ${filter.limit}
  )`
}

function pageConditions({ sort = 'newest', after }: ItemFilter): SQL[] {
  return after ? [orders[sort].isAfter(after)] : []
}

function newest({ words }: Term, filter: ItemFilter, most: number): SQL {
  const before = firstPosition(filter)
  if (words) {
    return sql`
      select distinct position
      from unnest(${sql.param(words)}::text[]) sought (word), lateral ${newestOfSought(before, most)} entry
      order by position desc limit ${most}`
  }
  return sql`
    select position from wanted_items
    where ${isOpen} and position < ${before} order by position desc limit ${most}`
}

/**
 * The first requests with all terms, found by the GIN index. Other plans would read the whole table, but the planner
 * cannot estimate how rarely words occur together.
 */
function intersect<Item>(db: Db, terms: Term[], filter: ItemFilter, read: Read<Item>) {
  const { now, sort = 'newest' } = filter
  const matching = sql`
    select position from wanted_items
    where ${and(...conditions(filter), ...pageConditions(filter), ...indexConditions(terms), ...locationChecks(terms))}
    order by ${orders[sort].by} limit ${filter.limit}`
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
