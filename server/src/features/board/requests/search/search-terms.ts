import type { ListCursor } from '@sought/contract/request-filters'
import { type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db } from '../../../../database/database.ts'
import { wantedItems, wantedItemWords } from '../../../../database/schema.ts'
import { filterMarks, isMaxBudget, isMinBudget } from './filter-marks.ts'
import {
  cursorBefore,
  cursorOf,
  type ItemFilter,
  isFrom,
  isOnPage,
  isOpen,
  isUpTo,
  orderBy,
  orderColumns,
  type Page,
  reverseOrderBy,
} from './item-filter.ts'

/**
 * Where a term is searched: in all words of a request, or in those of its location. A filter is a term too: its
 * words find candidates, which are then checked with a condition.
 */
type TermKind = 'text' | 'location' | 'filter'

/** A condition that a request must meet to be found. */
export interface Term {
  kind: TermKind
  /** The typed text; null for a filter. */
  part: string | null
  /** The words of requests that match the part; null if there are too many to look up one by one. */
  words: string[] | null
  /** The words that occur in open requests. */
  listed: string[] | null
  /** The number of requests with these words, counted up to COUNTED. */
  entries: number
  /** The number of requests among the first SAMPLE of the list that have these words. */
  sampled: number
}

export interface FoundTerms {
  terms: Term[]
  /** The part of the list that can contain requests with all terms. Terms are counted in it. */
  span: Span
  /** The approximate number of open requests. */
  openCount: number
}

type Span = Pick<ItemFilter, 'after' | 'upTo'>

/** Above this number of matching words, it is cheaper to check the requests themselves. */
export const MAX_WORDS = 64

/** Terms are counted up to this number of entries. */
export const COUNTED = 500

/** The number of requests in the sample that terms are counted in. */
export const SAMPLE = 400

/**
 * search_parts drops a * next to a word, like quotes and brackets. Inside a word it is literal: otherwise `ca*ra`
 * would search for the two words `ca` and `ra`.
 */
const hasStarInWord = (search: string) => /[\p{L}\p{N}]\*+[\p{L}\p{N}]/u.test(search.normalize('NFKC'))

/** The terms of the searched text, followed by those of the filters. */
export async function findTerms(db: Db, filter: ItemFilter): Promise<FoundTerms> {
  const { search = '', location = '' } = filter
  const { rows } = await db.execute<TermRow>(sql`
    with sought as materialized (
      select 'text' as kind, part, search_words_with(part, ${MAX_WORDS}) as words from search_parts(${search}) part
      union all
      select 'text', '*', search_words_with('*', ${MAX_WORDS}) where ${hasStarInWord(search)}
      union all
      select 'location', part, search_words_with(part, ${MAX_WORDS}) from search_parts(${location}) part
      union all
      select 'filter', null, array(select jsonb_array_elements_text(marks))
      from jsonb_array_elements(${JSON.stringify(filterMarks(filter))}::jsonb) marks
    ), terms as materialized (
      select row_number() over ()::integer as at, * from sought
    ), ${countTerms(filter)}`)
  return { terms: rows.map((row) => parseTerm(row, filter)), ...parseSpan(rows, filter) }
}

/** The same terms with similar spellings added. */
export async function findSimilarTerms(db: Db, terms: Term[], filter: ItemFilter): Promise<FoundTerms> {
  const candidates = terms.flatMap(({ kind, part, words }, at) =>
    words
      ? [...words, ...(kind === 'text' ? similarSpellings(part ?? '') : [])].map((word) => ({ at, word }))
      : [],
  )
  const { rows } = await db.execute<TermRow>(sql`
    with terms as materialized (
      select at, array_agg(distinct word) as words, null as kind, null as part
      from unnest(
        ${sql.param(candidates.map(({ at }) => at))}::integer[],
        ${sql.param(candidates.map(({ word }) => word))}::text[]
      ) candidate (at, word)
      where exists (select from wanted_item_words entry where entry.word = candidate.word collate "C")
      group by at
    ), ${countTerms(filter)}`)
  const found = new Map(rows.map((row) => [row.at, row]))
  const similar = terms.map((term, at) =>
    term.words
      ? { words: [], listed: [], entries: 0, sampled: 0, ...found.get(at), kind: term.kind, part: term.part }
      : term,
  )
  return { terms: similar, ...parseSpan(rows, filter) }
}

interface TermRow extends Record<string, unknown> {
  at: number
  kind: TermKind
  part: string | null
  words: string[] | null
  listed: string[]
  entries: number
  sampled: number
  first: ListCursor | null
  last: ListCursor | null
  open_count: number
}

/** A term with too many words to count is assumed to be frequent. */
function parseTerm({ kind, part, words, listed, entries, sampled }: TermRow, { sort }: ItemFilter): Term {
  if (!words) {
    return { kind, part, words, listed: null, entries: Number.POSITIVE_INFINITY, sampled: SAMPLE / 2 }
  }
  return {
    kind,
    part,
    words,
    listed,
    entries,
    sampled: sort === 'budget' ? sampleByBudget(words, sampled) : sampled,
  }
}

/**
 * In a list sorted by budget, the first requests are not typical for a budget filter. All of them match a
 * minimum, until the end of the matches. Few of them match a maximum, and more do later in the list.
 */
function sampleByBudget(words: string[], sampled: number): number {
  if (isMinBudget(words)) return SAMPLE
  return isMaxBudget(words) ? SAMPLE / 8 : sampled
}

function parseSpan([row]: TermRow[], { sort, after }: ItemFilter): Omit<FoundTerms, 'terms'> {
  return {
    span: { after: row?.first ? cursorBefore(sort, row.first) : after, upTo: row?.last ?? undefined },
    openCount: row?.open_count ?? 0,
  }
}

/**
 * Counts `terms` in the part of the list that can contain requests with all of them. It starts where the last term
 * first occurs, and ends where the first term last occurs.
 */
function countTerms(page: Page): SQL {
  const { sort } = page
  const edge = alias(wantedItems, 'edge')
  const edgeColumns = orderColumns(sort, edge)
  const [isAfterFirst, isBeforeLast, isSampled] = [
    isFrom(sort, sql`select * from first`, wantedItemWords),
    isUpTo(sort, sql`select * from last`, wantedItemWords),
    isUpTo(sort, sql`select * from last_of_sample`, wantedItemWords),
  ]
  return sql`firsts as materialized (
      select at, sought.word, wanted_item_words.*
      from terms, unnest(words) sought (word), lateral (${listOf(sql`sought.word`, page)} limit 1) wanted_item_words
    ), lasts as materialized (
      select at, wanted_item_words.*
      from firsts, lateral (${reverseListOf(sql`firsts.word`, page)} limit 1) wanted_item_words
    ), first as materialized (
      select ${edgeColumns}
      from (select distinct on (at) * from firsts edge order by at, ${orderBy(sort, edge)}) edge
      order by ${reverseOrderBy(sort, edge)} limit 1
    ), last as materialized (
      select ${edgeColumns}
      from (select distinct on (at) * from lasts edge order by at, ${reverseOrderBy(sort, edge)}) edge
      order by ${orderBy(sort, edge)} limit 1
    ), last_of_sample as materialized (
      select *
      from (
        select ${orderColumns(sort)} from wanted_items
        where ${isOpen} and ${isFrom(sort, sql`select * from first`)} order by ${orderBy(sort)} limit ${SAMPLE}
      ) edge
      order by ${reverseOrderBy(sort, edge)} limit 1
    )
    select at, kind, part, words,
      (select ${cursorOf(sort, edge)} from first edge) as first,
      (select ${cursorOf(sort, edge)} from last edge) as last,
      (select reltuples::integer from pg_class where oid = 'wanted_items_open'::regclass) as open_count,
      array(select word from firsts where firsts.at = terms.at) as listed,
      (
        select count(*)::integer from (
          select from firsts, lateral (
            select from wanted_item_words
            where word = firsts.word collate "C" and ${isAfterFirst} and ${isBeforeLast} limit ${COUNTED}
          ) entry
          where firsts.at = terms.at limit ${COUNTED}
        ) counted
      ) as entries,
      (
        select count(*)::integer from firsts, lateral (
          select from wanted_item_words
          where word = firsts.word collate "C" and ${isAfterFirst} and ${isSampled} offset 0
        ) entry
        where firsts.at = terms.at
      ) as sampled
    from terms`
}

/** Selects the requests of a page that contain the word. An index has them in this order. */
export function listOf(word: SQL, page: Page): SQL {
  return sql`
    select ${orderColumns(page.sort, wantedItemWords)} from wanted_item_words
    where word = ${word} collate "C" and ${isOnPage(page, wantedItemWords)}
    order by ${orderBy(page.sort, wantedItemWords)}`
}

const reverseListOf = (word: SQL, page: Page) => sql`
  select ${orderColumns(page.sort, wantedItemWords)} from wanted_item_words
  where word = ${word} collate "C" and ${isOnPage(page, wantedItemWords)}
  order by ${reverseOrderBy(page.sort, wantedItemWords)}`
const ALPHABETS = [
  'abcdefghijklmnopqrstuvwxyz',
  'абвгдежзийклмнопрстуфхцчшщъыьэюя',
  'αβγδεζηθικλμνξοπρστυφχψω',
]

/** Excludes short words and numbers: changing one letter turns them into another word. */
const HAS_SIMILAR_SPELLINGS = /^\p{L}{4,24}$/u

/** All words that differ by one typo: one letter added, missing, wrong or swapped. */
function similarSpellings(word: string): string[] {
  if (!HAS_SIMILAR_SPELLINGS.test(word)) return []
  const alphabets = ALPHABETS.filter((alphabet) => [...word].some((letter) => alphabet.includes(letter)))
  const letters = alphabets.join('')
  const similar = new Set<string>()
  for (let index = 0; index <= word.length; index++) {
    const [head, tail] = [word.slice(0, index), word.slice(index)]
    similar.add(head + tail.slice(1))
    similar.add(head + tail.slice(1, 2) + tail.slice(0, 1) + tail.slice(2))
    for (const letter of letters) {
      similar.add(head + letter + tail)
      similar.add(head + letter + tail.slice(1))
    }
  }
  similar.delete(word)
  return [...similar]
}
