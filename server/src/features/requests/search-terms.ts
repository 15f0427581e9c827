import { type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db } from '../../platform/database.ts'
import { wantedItems, wantedItemWords } from '../../platform/schema.ts'
import { filterMarks } from './filter-marks.ts'
import {
  endOf,
  type ItemFilter,
  isOnPage,
  isOpen,
  isUpTo,
  orderBy,
  orderColumns,
  type Page,
} from './item-filter.ts'
import { similarSpellings } from './search-spellings.ts'

/**
 * Where a term is looked for: in all words of a request, or in those of its location. A filter is a term too. Its
 * words only find the requests, which are then checked with a condition.
 */
type TermKind = 'text' | 'location' | 'filter'

/** A condition that a request must meet to be found. */
export interface Term {
  kind: TermKind
  /** The typed text; null for a filter. */
  part: string | null
  /** The words of requests that match the part; null if there are too many to look up one by one. */
  words: string[] | null
  /** The number of requests with these words after the cursor, counted up to REACH. */
  entries: number
  /** How many of the first SAMPLE requests of the list have these words. */
  sampled: number
}

/** Above this number of matching words, it is cheaper to check the requests themselves. */
export const MAX_WORDS = 64

/** The number of entries that a search walks before it falls back to the GIN index. */
export const REACH = 1000

/** The number of requests of a list that terms are counted in. */
export const SAMPLE = 400

export const LAST_POSITION = 2_147_483_647

/**
 * search_parts drops a * beside other words, as it does with quotes and brackets. Inside a word it is meant
 * literally: without this, `ca*ra` would search for the two words `ca` and `ra`.
 */
const hasStarInWord = (search: string) => /[\p{L}\p{N}]\*+[\p{L}\p{N}]/u.test(search.normalize('NFKC'))

/** The typed parts, then the filters. */
export async function findTerms(db: Db, filter: ItemFilter): Promise<Term[]> {
  const { search = '', location = '' } = filter
  // The only term of a search without filters needs no count: walking it fills the page.
  const canSkipCount = isOnlySearched(filter)
  const { rows } = await db.execute<TermRow>(sql`
    with terms as materialized (
      select 'text' as kind, part, search_words_with(part, ${MAX_WORDS}) as words from search_parts(${search}) part
      union all
      select 'text', '*', search_words_with('*', ${MAX_WORDS}) where ${hasStarInWord(search)}
      union all
      select 'location', part, search_words_with(part, ${MAX_WORDS}) from search_parts(${location}) part
      union all
      select 'filter', null, array(select jsonb_array_elements_text(marks))
      from jsonb_array_elements(${JSON.stringify(filterMarks(filter))}::jsonb) marks
    ), ${sampleOf(filter)}
    select kind, part, words, counted.*
    from terms, lateral ${countOf(
      filter,
      sql`case when ${canSkipCount} and (select count(*) from terms) = 1 then null else words end`,
    )} counted`)
  const terms = rows.map(parseTerm)
  const [only, ...others] = terms
  return canSkipCount && only && others.length === 0 ? [{ ...only, entries: REACH }] : terms
}

/** Words that search_parts returns as they are, in lower case. */
const PLAIN_WORDS = /^[a-z0-9]{1,64}( +[a-z0-9]{1,64}){0,9}$/i

/** The parts of a search without filters, if its text needs no further analysis. */
export function findPlainParts(filter: ItemFilter): string[] {
  const { search = '' } = filter
  if (!isOnlySearched(filter) || !PLAIN_WORDS.test(search)) return []
  return [...new Set(search.toLowerCase().split(/ +/))]
}

/** Whether the newest requests with one text are sought, and no filter is set. */
export function isOnlySearched({
  search,
  limit,
  now,
  after,
  sort = 'newest',
  ...filters
}: ItemFilter): boolean {
  return sort === 'newest' && Object.values(filters).every((filter) => filter === undefined)
}

/** The same terms with similar spellings added. */
export async function findSimilarTerms(db: Db, terms: Term[], filter: ItemFilter): Promise<Term[]> {
  const candidates = terms.flatMap(({ kind, part, words }, at) =>
    words
      ? [...words, ...(kind === 'text' ? similarSpellings(part ?? '') : [])].map((word) => ({ at, word }))
      : [],
  )
  const { rows } = await db.execute<TermRow & { at: number }>(sql`
    with terms as materialized (
      select at, array_agg(distinct word) as words
      from unnest(
        ${sql.param(candidates.map(({ at }) => at))}::integer[],
        ${sql.param(candidates.map(({ word }) => word))}::text[]
      ) candidate (at, word)
      where exists (select from wanted_item_words entry where entry.word = candidate.word collate "C")
      group by at
    ), ${sampleOf(filter)}
    select at, words, counted.* from terms, lateral ${countOf(filter, sql`words`)} counted`)
  const found = new Map(rows.map((row) => [row.at, row]))
  return terms.map((term, at) =>
    term.words
      ? { words: [], entries: 0, sampled: 0, ...found.get(at), kind: term.kind, part: term.part }
      : term,
  )
}

interface TermRow extends Record<string, unknown> {
  kind: TermKind
  part: string | null
  words: string[] | null
  entries: number
  sampled: number
}

/** Terms with too many words to count are assumed to be frequent. */
function parseTerm({ kind, part, words, entries, sampled }: TermRow): Term {
  return words
    ? { kind, part, words, entries, sampled }
    : { kind, part, words, entries: Number.POSITIVE_INFINITY, sampled: SAMPLE / 2 }
}

/** The last request of the sample, by the columns of the order. If the list is shorter, what comes after all requests. */
function sampleOf(page: Page): SQL {
  return sql`sample as materialized (
    (
      select ${orderColumns(page.sort)} from wanted_items
      where ${isOpen} and ${isOnPage(page)}
      order by ${orderBy(page.sort)} offset ${SAMPLE - 1} limit 1
    )
    union all
    select ${endOf(page.sort)}
    limit 1
  )`
}

/** The entries of an SQL array of words, and how many of them are in the sample. */
function countOf(page: Page, words: SQL): SQL {
  const last = orderColumns(page.sort, alias(wantedItems, 'sample'))
  const isSampled = sql`${isOnPage(page, wantedItemWords)} and ${isUpTo(page.sort, last, wantedItemWords)}`
  return sql`(
    select (
      select count(*)::integer from (
        select from unnest(${words}) sought (word), lateral (${firstOf(sql`sought.word`, page, REACH)}) entry
        limit ${REACH}
      ) counted
    ) as entries, (
      select count(*)::integer from sample, unnest(${words}) sought (word), lateral (
        select from wanted_item_words where word = sought.word collate "C" and ${isSampled} limit ${SAMPLE}
      ) entry
    ) as sampled
  )`
}

/** The first requests of a list with an SQL word, read from one index up to the limit. */
export function firstOf(word: SQL, page: Page, most: SQL | number): SQL {
  return sql`
    select ${orderColumns(page.sort, wantedItemWords)} from wanted_item_words
    where word = ${word} collate "C" and ${isOnPage(page, wantedItemWords)}
    order by ${orderBy(page.sort, wantedItemWords)} limit ${most}`
}
