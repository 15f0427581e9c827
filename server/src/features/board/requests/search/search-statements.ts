import { type SQL, sql } from 'drizzle-orm'
import { asLiteral, opaquePlaceholder } from '../../../../database/prepared.ts'
import type { ItemFilter } from './item-filter.ts'
import { MAX_WORDS } from './search-terms.ts'

/*
 * The most frequent searches as statements that can be prepared: words only, newest first. Both take parts of
 * words and the position where the page starts, and return one row: `positions`, and `are_all`, which tells
 * whether these are all requests of the page.
 */

export const LAST_POSITION = 2_147_483_647

/** Words that search_parts only changes to lower case. */
const PLAIN_WORDS = /^[a-z0-9]{1,64}( +[a-z0-9]{1,64}){0,9}$/i

/** The words of a search without filters, if its text needs no further analysis. */
export function findPlainParts({ search = '', limit, now, after, sort, ...filters }: ItemFilter): string[] {
  const isFiltered = Object.values(filters).some((filter) => filter !== undefined)
  if (isFiltered || (sort ?? 'newest') !== 'newest' || !PLAIN_WORDS.test(search)) return []
  return [...new Set(search.toLowerCase().split(/ +/))]
}

/** The number of requests with the rarest word that are checked for the others. */
export const QUICK_REACH = 200
const REACH = asLiteral(QUICK_REACH)

const wordsWith = (part: SQL) => sql`search_words_with(${part}, ${asLiteral(MAX_WORDS)})`

/** The newest requests with one of the words in an SQL array. */
const newestOf = (words: SQL, limit: SQL) => sql`array(
  select distinct position
  from unnest(${words}) sought (word), lateral (
    select position from wanted_item_words
    where word = sought.word collate "C" and position < ${opaquePlaceholder('before', 'integer')}
    order by position desc limit ${limit}
  ) entry
  order by position desc limit ${limit}
)`

/** Finds nothing if too many words contain this part. */
export const newestWithPart = (limit: SQL) => sql`
  select ${newestOf(sql`(select ${wordsWith(sql`${sql.placeholder('part')}`)})`, limit)} as positions, true as are_all`

/** Reads the requests with the rarest part, up to its reach, and checks them for the others. */
export const newestWithParts = (limit: SQL) => sql`
  with known as materialized (
    select part, ${wordsWith(sql`part`)} as words from unnest(${opaquePlaceholder('parts', 'text[]')}) part
  ), terms as materialized (
    select part, words, ${newestOf(sql`words`, REACH)} as positions from known
  ), rarest as materialized (
    select * from terms
    where not exists (select from known where words is null)
    order by cardinality(positions), positions[cardinality(positions)] limit 1
  ), found as materialized (
    select candidate.position from rarest, unnest(rarest.positions) candidate (position)
    where not exists (
      select from terms
      where terms.part <> rarest.part and not exists (
        select from wanted_item_words
        where word = any(terms.words collate "C") and wanted_item_words.position = candidate.position
      )
    )
    order by candidate.position desc limit ${limit}
  )
  select array(select position from found) as positions,
    coalesce((select cardinality(positions) from rarest) < ${REACH}, false)
      or (select count(*) from found) = ${limit} as are_all`
