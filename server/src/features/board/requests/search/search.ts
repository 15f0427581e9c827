import { and, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Db } from '../../../../database/database.ts'
import { wantedItems, wantedItemWords } from '../../../../database/schema.ts'
import { isCurrencyMark } from './filter-marks.ts'
import { conditions, type ItemFilter, isOnPage, isOpen, orderBy, orderColumns } from './item-filter.ts'
import { QUICK_REACH } from './search-statements.ts'
import {
  COUNTED,
  type FoundTerms,
  findSimilarTerms,
  findTerms,
  listOf,
  MAX_WORDS,
  SAMPLE,
  type Term,
} from './search-terms.ts'

/*
 * Search (ADR 30, 61). wanted_item_words lists the open requests of each word and mark in every order. A search walks
 * the list of its rarest term and checks each request for the others. If most requests match, it walks the list of all
 * requests instead. If few match, it intersects the terms in a GIN index. Requests that have expired since the last
 * sweep are still listed; they are checked like the other conditions.
 */

/**
 * The costs of checking a request in a term's list, opening a word's list, using the GIN index, examining a request
 * in it, and reading a request that it found. Checking a request in the list of all requests costs 1.
 */
const COST_OF_ENTRY = 1.3
const COST_OF_WORD = 15
const COST_OF_INDEX = 300
const COST_OF_POSTING = 0.008
const COST_OF_MATCH = 1

/** A walk stops after MIN_REACH requests, or after SAFETY times the expected number. */
const MIN_REACH = 1000
const SAFETY = 4

/**
 * The GIN index has long lists for terms that are more frequent than this in the sample. Checking them afterwards
 * is faster.
 */
const FREQUENT = SAMPLE / 5

/** The assumed count of a term that does not occur in the sample. */
const RARELY = 0.5

/** Reads requests in the order of the list, given an SQL array of their positions. */
type Read<Item> = (positions: SQL) => Promise<Item[]>

/**
 * The first open requests that pass the filters and contain every searched word, even inside a longer word. If
 * there are none, those with a similar spelling. `tried` is how many of the first QUICK_REACH requests with the
 * rarest term match, if that is known.
 */
export async function searchOpenItems<Item>(
  db: Db,
  filter: ItemFilter,
  read: Read<Item>,
  tried?: number,
): Promise<Item[]> {
  const found = { ...(await findTerms(db, filter)), tried }
  const items = await findMatching(found, filter, read)
  if (items.length > 0 || !found.terms.some(({ kind }) => kind === 'text')) return items
  // An empty later page is the end of a search with matches, so similar spellings are not tried.
  if (filter.after) {
    const firstPage = { ...filter, after: undefined, limit: 1 }
    const first = await findMatching(await findTerms(db, firstPage), firstPage, read)
    if (first.length > 0) return []
  }
  return findMatching(await findSimilarTerms(db, found.terms, filter), filter, read)
}

type Found = FoundTerms & { tried?: number | undefined }

/** If the cheapest way does not fill the page, the GIN index finds all matches. */
async function findMatching<Item>(found: Found, asked: ItemFilter, read: Read<Item>) {
  const filter = { ...asked, ...found.span }
  const [rarest, ...others] = found.terms.toSorted(compareRarity)
  if (!rarest) return read(wholeList(filter))
  if (rarest.entries === 0) return []
  if (rarest.entries < COUNTED) return read(walkList(rarest, others, filter, COUNTED))
  const walk = chooseWalk(rarest, others, found, filter)
  const items = walk ? await read(walk) : []
  if (items.length === filter.limit) return items
  return read(indexedOf(found.terms).length > 0 ? intersect(found.terms, filter) : wholeList(filter))
}

/** Undefined if the GIN index is expected to be cheaper. */
function chooseWalk(rarest: Term, others: Term[], { terms, openCount, tried }: Found, filter: ItemFilter) {
  const { limit, inAnyOrder } = filter
  const shareOfOthers = tried === undefined ? shareOf(others) : Math.max(tried, RARELY) / QUICK_REACH
  const shareOfAll = shareOf([rarest]) * shareOfOthers
  const [ofAll, ofRarest] = [limit / shareOfAll, limit / shareOfOthers]
  const indexed = indexedOf(terms)
  const postings = openCount * indexed.reduce((sum, term) => sum + shareOf([term]), 0)
  const shareOfIndexed = indexed.length === terms.length ? shareOfAll : shareOf(indexed)
  const found = openCount * shareOfIndexed
  const read = inAnyOrder ? Math.min(found, (limit / shareOfAll) * shareOfIndexed) : found
  const costs = {
    all: ofAll,
    rarest: ofRarest * COST_OF_ENTRY + (rarest.listed?.length ?? MAX_WORDS) * COST_OF_WORD,
    intersect:
      indexed.length === 0
        ? Number.POSITIVE_INFINITY
        : COST_OF_INDEX + postings * COST_OF_POSTING + read * COST_OF_MATCH,
  }
  if (costs.all <= Math.min(costs.rarest, costs.intersect)) return walkAll(terms, filter, reachOf(ofAll))
  if (costs.rarest <= costs.intersect) return walkList(rarest, others, filter, reachOf(ofRarest))
  return undefined
}

const reachOf = (expected: number) => Math.max(MIN_REACH, Math.ceil(expected * SAFETY))

/** Terms with few requests come first, then those that are rarest at the start of the list. */
function compareRarity(one: Term, other: Term): number {
  if (Math.min(one.entries, other.entries) < COUNTED) return one.entries - other.entries
  const wordsOf = ({ listed }: Term) => listed?.length ?? MAX_WORDS
  return one.sampled - other.sampled || wordsOf(one) - wordsOf(other)
}

/** The share of requests with all terms, assuming that the terms are independent. */
const shareOf = (terms: Term[]) =>
  terms.reduce((share, { sampled }) => (share * Math.max(sampled, RARELY)) / SAMPLE, 1)

/** The first requests of the list, for filters without terms that nearly all requests pass. */
function wholeList(filter: ItemFilter): SQL {
  const { limit, sort } = filter
  return sql`array(
    select position from wanted_items
    where ${and(...conditions(filter), isOnPage(filter))} order by ${orderBy(sort)} limit ${limit}
  )`
}

/** Reads the list of all requests in order, and skips those that do not match. */
function walkAll(terms: Term[], filter: ItemFilter, reach: number): SQL {
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

/**
 * Reads the list of a term in order, and skips requests that do not match. `offset 0` keeps the planner from
 * turning the checks into a join, which would read all requests.
 */
function walkList(listed: Term, others: Term[], filter: ItemFilter, reach: number): SQL {
  const { limit, sort } = filter
  const terms = isExact(listed) ? others : [...others, listed]
  return sql`array(
    select position
    from (
      select distinct ${orderColumns(sort, wantedItemWords)}
      from (${mergeLists(listed, filter)} limit ${reach}) wanted_item_words
      where exists (
        select from wanted_items
        where position = wanted_item_words.position and ${and(...conditions(filter), ...terms.map(hasTerm))} offset 0
      )
      order by ${orderBy(sort, wantedItemWords)} limit ${limit}
    ) found
  )`
}

/** Whether a request in the term's list always has the term, so that it needs no further check. */
const isExact = ({ kind, listed }: Term) => kind === 'text' && listed !== null

/**
 * The requests with one of the words of a term. PostgreSQL merges the words' lists only as far as they are read.
 */
function mergeLists({ listed }: Term, filter: ItemFilter): SQL {
  const { sort } = filter
  if (!listed) {
    return sql`select ${orderColumns(sort)} from wanted_items where ${isOpen} and ${isOnPage(filter)} order by ${orderBy(sort)}`
  }
  const lists = listed.map((word) => sql`(${listOf(sql`${word}`, filter)})`)
  if (lists.length === 1) return listOf(sql`${listed[0]}`, filter)
  return sql`
    select * from (${sql.join(lists, sql` union all `)}) wanted_item_words
    order by ${orderBy(sort, wantedItemWords)}`
}

/**
 * All requests with all terms, from the GIN index. `offset 0` keeps the planner from using the sort index, because
 * it cannot estimate how rarely words occur together.
 */
function intersect(terms: Term[], filter: ItemFilter): SQL {
  const { limit, sort, inAnyOrder } = filter
  const indexed = indexedOf(terms)
  const checked = terms.filter((term) => term.kind === 'location' || !indexed.includes(term))
  return sql`array(
    select position
    from (select * from wanted_items where ${and(isOpen, ...indexConditions(indexed))} offset 0) wanted_items
    where ${and(...conditions(filter), isOnPage(filter), ...checked.map(hasTerm))}
    ${inAnyOrder ? sql`` : sql`order by ${orderBy(sort)}`} limit ${limit}
  )`
}

/** The terms that are looked up in the GIN index, which does not have currencies. */
function indexedOf(terms: Term[]): Term[] {
  const known = terms.filter(({ words }) => !words?.some(isCurrencyMark))
  const rare = known.filter(({ sampled }) => sampled <= FREQUENT)
  return rare.length > 0 ? rare : known
}

/** Whether the current request has a term. Filters are checked by their conditions. */
function hasTerm({ kind, words, part }: Term): SQL {
  if (kind === 'filter') return sql`true`
  const isIn = (own: SQLWrapper) =>
    words
      ? sql`${own} && ${sql.param(words)}::text[]`
      : sql`exists (select from unnest(${own}) word where word like ${likePattern(part)})`
  // The words of a request include those of its location, which are not stored and take longer to compute.
  return kind === 'location'
    ? sql`${isIn(wantedItems.words)} and ${isIn(sql`search_lexemes(${wantedItems.location})`)}`
    : isIn(wantedItems.words)
}

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
        : sql`${wantedItems.words} && (select search_words_with(${part}, ${ALL_WORDS}))`,
    ),
    ...marked.map(({ words }) => sql`${wantedItems.marks} && ${sql.param(words)}::text[]`),
  ]
}

const isMark = ({ words }: Term) => words?.[0]?.startsWith(':') ?? false

const ALL_WORDS = 2_147_483_646

/** The same rule as in search_words_with: short parts must start a word, longer ones may be anywhere in it. */
function likePattern(part: string | null): string {
  const text = (part ?? '').replace(/[\\%_]/g, '\\$&')
  return [...(part ?? '')].length < 3 ? `${text}%` : `%${text}%`
}
