import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../platform/database.ts'
import { nearSpellings } from './search-spellings.ts'

/** One of the things that a request must have to be found. */
export interface Term {
  /** What was typed; null for a filter, whose word no one may misspell. */
  part: string | null
  /** The words of requests that it stands for; null if they are too many to go through one by one. */
  words: string[] | null
  /** How many entries those words have before the cursor, counted up to REACH. */
  entries: number
}

/** How many words a part may stand for, before it is cheaper to look at the requests themselves. */
const MOST_WORDS = 64

/** How many entries a search looks at one by one, before it asks the index that can intersect. */
export const REACH = 1000

export const LAST_ID = 2_147_483_647

/**
 * search_parts drops a * beside other words, as it does with quotes and brackets. Inside a word it is meant
 * literally: without this, `ca*ra` would search for the two words `ca` and `ra`.
 */
const hasStarInWord = (search: string) => /[\p{L}\p{N}]\*+[\p{L}\p{N}]/u.test(search.normalize('NFKC'))

interface Given {
  search: string
  category?: string | undefined
  urgency?: string | undefined
  notOf?: string | undefined
  before: number
}

/** The terms of a search: what was typed, then the filters that have words of their own. */
export async function findTerms(db: Db, given: Given): Promise<Term[]> {
  const { search, category, urgency, notOf, before } = given
  // The one term of a search without filters is walked for as long as a page is, however common it may be.
  const mayStandAlone = !category && !urgency && !notOf
  const { rows } = await db.execute<TermRow>(sql`
    with terms as materialized (
      select part, search_words_with(part, ${MOST_WORDS}) as words from search_parts(${search}) part
      union all
      select '*', search_words_with('*', ${MOST_WORDS}) where ${hasStarInWord(search)}
      union all
      select null, array[word] from unnest(search_lexemes(${category ?? ''})) word
      union all
      select null, array['!!'] where ${urgency ?? ''} = 'high'
    )
    select part, words, case
      when ${mayStandAlone} and (select count(*) from terms) = 1 then ${REACH} else ${entries(before)}
    end as entries
    from terms`)
  return rows.map(asTerm)
}

/** The same terms, with the near spellings of what was typed besides. */
export async function findNearTerms(db: Db, terms: Term[], before: number): Promise<Term[]> {
  const candidates = terms.flatMap(({ part, words }, at) =>
    words ? [...words, ...nearSpellings(part ?? '')].map((word) => ({ at, word })) : [],
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

function asTerm({ part, words, entries }: TermRow): Term {
  return { part, words, entries: words ? entries : Number.POSITIVE_INFINITY }
}

function entries(before: number): SQL {
  return sql`(
    select count(*)::integer from (
      select from unnest(terms.words) sought (word), lateral ${newestOfSought(before)} entry limit ${REACH}
    ) counted
  )`
}

/** The newest requests that have the word `sought.word`: a walk down one index, which stops as soon as it may. */
export function newestOfSought(before: number, most = REACH): SQL {
  return sql`(
    select item_id from wanted_item_words
    where word = sought.word collate "C" and item_id < ${before}
    order by item_id desc limit ${most}
  )`
}
