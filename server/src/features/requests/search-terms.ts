import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../platform/database.ts'
import { filterMarks } from './filter-marks.ts'
import type { ItemFilter } from './item-filter.ts'
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
  /** The number of requests with these words before the cursor, counted up to REACH. */
  entries: number
}

/** Above this number of matching words, it is cheaper to check the requests themselves. */
export const MAX_WORDS = 64

/** The number of entries that a search walks before it falls back to the GIN index. */
export const REACH = 1000

export const LAST_POSITION = 2_147_483_647

/**
 * search_parts drops a * beside other words, as it does with quotes and brackets. Inside a word it is meant
 * literally: without this, `ca*ra` would search for the two words `ca` and `ra`.
 */
const hasStarInWord = (search: string) => /[\p{L}\p{N}]\*+[\p{L}\p{N}]/u.test(search.normalize('NFKC'))

/** Terms of lists in another order than by position count all their entries. */
export const firstPosition = ({ sort = 'newest', after }: ItemFilter) =>
  sort === 'newest' && after ? after.position : LAST_POSITION

/** The typed parts, then the filters that are stored as words or marks. */
export async function findTerms(db: Db, filter: ItemFilter): Promise<Term[]> {
  const { search = '', category, urgency, location = '' } = filter
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
      select 'filter', null, array[word] from unnest(search_lexemes(${category ?? ''})) word
      union all
      select 'filter', null, array['!!'] where ${urgency ?? ''} = 'high'
      union all
      select 'filter', null, array(select jsonb_array_elements_text(marks))
      from jsonb_array_elements(${JSON.stringify(filterMarks(filter))}::jsonb) marks
    )
    select kind, part, words, case
      when ${canSkipCount} and (select count(*) from terms) = 1 then ${REACH} else ${entries(firstPosition(filter))}
    end as entries
    from terms`)
  return rows.map(parseTerm)
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
export async function findSimilarTerms(db: Db, terms: Term[], before: number): Promise<Term[]> {
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
    )
    select at, words, ${entries(before)} as entries from terms`)
  const found = new Map(rows.map((row) => [row.at, row]))
  return terms.map((term, at) =>
    term.words ? { words: [], entries: 0, ...found.get(at), kind: term.kind, part: term.part } : term,
  )
}

interface TermRow extends Record<string, unknown> {
  kind: TermKind
  part: string | null
  words: string[] | null
  entries: number
}

function parseTerm({ kind, part, words, entries }: TermRow): Term {
  return { kind, part, words, entries: words ? entries : Number.POSITIVE_INFINITY }
}

function entries(before: number): SQL {
  return sql`(
    select count(*)::integer from (
      select from unnest(terms.words) sought (word), lateral ${newestOfSought(before)} entry limit ${REACH}
    ) counted
  )`
}

/** The newest requests with the word `sought.word`, read from one index up to the limit. */
export function newestOfSought(before: number, most = REACH): SQL {
  return sql`(
    select position from wanted_item_words
    where word = sought.word collate "C" and position < ${before}
    order by position desc limit ${most}
  )`
}
