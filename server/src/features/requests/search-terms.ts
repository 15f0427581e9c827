import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../platform/database.ts'
import { similarSpellings } from './search-spellings.ts'

/** A condition that a request must meet to be found. */
export interface Term {
  /** The typed text; null for a filter, which has no similar spellings. */
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

interface SearchInput {
  search: string
  category?: string | undefined
  urgency?: string | undefined
  notOf?: string | undefined
  before: number
}

/** The typed parts, then the filters that are stored as words. */
export async function findTerms(db: Db, input: SearchInput): Promise<Term[]> {
  const { search, category, urgency, notOf, before } = input
  // The only term of a search without filters needs no count: walking it fills the page.
  const canSkipCount = !category && !urgency && !notOf
  const { rows } = await db.execute<TermRow>(sql`
    with terms as materialized (
      select part, search_words_with(part, ${MAX_WORDS}) as words from search_parts(${search}) part
      union all
      select '*', search_words_with('*', ${MAX_WORDS}) where ${hasStarInWord(search)}
      union all
      select null, array[word] from unnest(search_lexemes(${category ?? ''})) word
      union all
      select null, array['!!'] where ${urgency ?? ''} = 'high'
    )
    select part, words, case
      when ${canSkipCount} and (select count(*) from terms) = 1 then ${REACH} else ${entries(before)}
    end as entries
    from terms`)
  return rows.map(parseTerm)
}

/** The same terms with similar spellings added. */
export async function findSimilarTerms(db: Db, terms: Term[], before: number): Promise<Term[]> {
  const candidates = terms.flatMap(({ part, words }, at) =>
    words ? [...words, ...similarSpellings(part ?? '')].map((word) => ({ at, word })) : [],
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
    term.words ? { words: [], entries: 0, ...found.get(at), part: term.part } : term,
  )
}

interface TermRow extends Record<string, unknown> {
  part: string | null
  words: string[] | null
  entries: number
}

function parseTerm({ part, words, entries }: TermRow): Term {
  return { part, words, entries: words ? entries : Number.POSITIVE_INFINITY }
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
