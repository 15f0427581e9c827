import { and, desc, eq, gt, lt, ne, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../platform/database.ts'
import { wantedItems } from '../../platform/schema.ts'
import {
  findSimilarTerms,
  findTerms,
  LAST_POSITION,
  newestOfSought,
  REACH,
  type Term,
} from './search-terms.ts'

/*
 * Search (ADR 30). wanted_item_words maps each word to the positions of its open requests. A search for one word
 * walks its positions from the newest. For several words, it walks the rarest and checks each request for the others. If too few
 * requests match, it falls back to a GIN index. Requests that have expired since the last sweep are still in the indexes;
 * they have the lowest positions, so that leaving them out only shortens the last page.
 */

export interface SearchFilter {
  category?: string | undefined
  urgency?: 'low' | 'medium' | 'high' | undefined
  notOf?: string | undefined
  before?: number | undefined
  limit: number
  now: Date
}

/** Disabled so that the planner uses the GIN index; JIT compilation would take longer than the search. */
const DISABLED_SETTINGS = ['enable_seqscan', 'enable_indexscan', 'jit']

/** Reads those requests that have not expired, given an SQL array of their positions. */
type Read<Item> = (db: Db, positions: SQL, now: Date) => Promise<Item[]>

/**
 * The newest open requests that contain every searched word, also as part of a word. If there are none, the newest
 * with a similar spelling. Null if the search has no words.
 */
export async function searchOpenItems<Item>(
  db: Db,
  search: string,
  filter: SearchFilter,
  read: Read<Item>,
): Promise<Item[] | null> {
  const before = filter.before ?? LAST_POSITION
  const terms = await findTerms(db, { ...filter, search, before })
  if (!terms.some(({ part }) => part !== null)) return null
  const items = await findMatching(db, terms, filter, read)
  if (items.length > 0) return items
  // An empty later page is the end of a search that had matches, so we do not try similar spellings.
  if (filter.before) {
    const first = await searchAsTyped(db, search, { ...filter, before: undefined, limit: 1 }, read)
    if (first.length > 0) return []
  }
  return findMatching(db, await findSimilarTerms(db, terms, before), filter, read)
}

async function searchAsTyped<Item>(db: Db, search: string, filter: SearchFilter, read: Read<Item>) {
  const terms = await findTerms(db, { ...filter, search, before: filter.before ?? LAST_POSITION })
  return findMatching(db, terms, filter, read)
}

async function findMatching<Item>(db: Db, terms: Term[], filter: SearchFilter, read: Read<Item>) {
  if (terms.some(({ words }) => words?.length === 0)) return []
  const rarest = terms.reduce((rarest, term) => (isRarer(term, rarest) ? term : rarest))
  const others = terms.filter((term) => term !== rarest)
  const items = await read(db, walk(rarest, others, filter), filter.now)
  const isComplete =
    items.length === filter.limit || rarest.entries < REACH || isOnlyCondition(rarest, others, filter)
  return isComplete ? items : intersect(db, terms, filter, read)
}

function isRarer(one: Term, other: Term): boolean {
  if (one.entries !== other.entries) return one.entries < other.entries
  return (one.words?.length ?? 0) < (other.words?.length ?? 0)
}

/** Whether this term is the only condition, so that the walk skips no request. */
function isOnlyCondition(term: Term, others: Term[], { notOf, urgency }: SearchFilter): boolean {
  return term.words !== null && others.length === 0 && !notOf && !urgency
}

/** Walks the requests with the rarest term from the newest, and skips those without the other terms. */
function walk(rarest: Term, others: Term[], filter: SearchFilter): SQL {
  if (isOnlyCondition(rarest, others, filter)) return sql`array(${newest(rarest, filter, filter.limit)})`
  const checked = rarest.words ? others : [...others, rarest]
  // `offset 0` keeps the planner from turning the walk into a full join.
  return sql`array(
    select candidate.position
    from (${newest(rarest, filter, REACH)}) candidate, lateral (
      select from wanted_items where position = candidate.position and ${and(...conditions(filter), ...checked.map(hasTerm))} offset 0
    ) fits
    order by candidate.position desc limit ${filter.limit}
  )`
}

function newest({ words }: Term, { before = LAST_POSITION }: SearchFilter, most: number): SQL {
  if (words) {
    return sql`
      select distinct position
      from unnest(${sql.param(words)}::text[]) sought (word), lateral ${newestOfSought(before, most)} entry
      order by position desc limit ${most}`
  }
  return sql`
    select position from wanted_items
    where status = 'open' and position < ${before} order by position desc limit ${most}`
}

/**
 * The newest requests with all terms, found by the GIN index. Other plans would read the whole table, but the planner
 * cannot estimate how rarely words occur together.
 */
function intersect<Item>(db: Db, terms: Term[], filter: SearchFilter, read: Read<Item>) {
  const { before = LAST_POSITION, limit } = filter
  const matching = db
    .select({ position: wantedItems.position })
    .from(wantedItems)
    .where(and(lt(wantedItems.position, before), ...conditions(filter), ...indexConditions(terms)))
    .orderBy(desc(wantedItems.position))
    .limit(limit)
  return db.transaction(async (tx) => {
    await tx.execute(
      sql`select set_config(name, 'off', true) from unnest(${sql.param(DISABLED_SETTINGS)}::text[]) name`,
    )
    return read(tx, sql`array(${matching})`, filter.now)
  })
}

/** A literal and not a parameter, so that the planner can use the partial index on open requests. */
export const isOpen = sql`${wantedItems.status} = 'open'`

export const isUnexpired = (now: Date) => gt(wantedItems.expiresAt, now)

function conditions({ category, urgency, notOf, now }: SearchFilter): SQL[] {
  return [
    isOpen,
    isUnexpired(now),
    ...(category ? [eq(wantedItems.category, category)] : []),
    ...(urgency ? [eq(wantedItems.urgency, urgency)] : []),
    ...(notOf ? [ne(wantedItems.userId, notOf)] : []),
  ]
}

/** Whether the current request has a term. */
function hasTerm({ words, part }: Term): SQL {
  if (words) return hasAny(sql`${sql.param(words)}::text[]`)
  return sql`exists (select from unnest(${wantedItems.words}) word where word like ${likePattern(part)})`
}

/**
 * The conditions for the GIN index. Terms with exactly one word are combined, which is fastest. The subquery makes
 * PostgreSQL look up the words once; without it, a plan that filters row by row calls the function for every row.
 */
function indexConditions(terms: Term[]): SQL[] {
  const single = terms.flatMap(({ words }) => (words?.length === 1 ? words : []))
  const others = terms.filter(({ words }) => words?.length !== 1)
  return [
    ...(single.length > 0 ? [sql`${wantedItems.words} @> ${sql.param(single)}::text[]`] : []),
    ...others.map(({ part, words }) =>
      hasAny(
        words
          ? sql`${sql.param(words)}::text[]`
          : sql`(select search_words_with(${part}, ${LAST_POSITION - 1}))`,
      ),
    ),
  ]
}

function hasAny(words: SQL): SQL {
  return sql`${wantedItems.words} && ${words}`
}

/** The same rule as in search_words_with: short parts must begin a word, longer ones may be anywhere in it. */
function likePattern(part: string | null): string {
  const text = (part ?? '').replace(/[\\%_]/g, '\\$&')
  return [...(part ?? '')].length < 3 ? `${text}%` : `%${text}%`
}
