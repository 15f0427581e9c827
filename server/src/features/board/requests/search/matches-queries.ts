import type { Selling } from '@sought/contract/accounts'
import { sql } from 'drizzle-orm'
import type { PooledDb } from '../../../../database/database.ts'
import { asLiteral, opaqueValue } from '../../../../database/prepared.ts'
import { areBlocked } from '../../../users/blocks.ts'
import { findItemsAt, type ItemPage } from '../queries.ts'
import { isOpen, isUnexpired } from './item-filter.ts'
import { LAST_POSITION } from './search-statements.ts'
import { listOf, MAX_WORDS } from './search-terms.ts'

/*
 * Limits are literals, and PostgreSQL does not know the other values when it plans the statement (`opaqueValue`).
 * Otherwise it would plan the statement again on each call.
 */

/** The number of newest requests per keyword and category that are checked for a page. */
const REACH = asLiteral(200)

interface Seller extends Selling {
  id: string
}

/**
 * The newest open requests of other people, without blocked ones, that are in one of the categories or have all
 * words of one of the keywords. The rules of search apply (ADR 30), without similar spellings. As in search, the
 * requests with the rarest word of a keyword are read newest first and checked for its other words.
 */
export function findMatchingItems(
  db: PooledDb,
  seller: Seller,
  now: Date,
  { limit, before = LAST_POSITION }: ItemPage,
) {
  const keywords = opaqueValue(seller.keywords, 'text[]')
  const categories = opaqueValue(seller.categories, 'text[]')
  const newestOpen = sql`status = 'open' and position < ${opaqueValue(before, 'integer')} order by position desc limit ${REACH}`
  const newestOfSought = sql`${listOf(sql`sought.word`, { after: { position: before }, now })} limit ${REACH}`
  return findItemsAt(
    db,
    sql`array(
      with terms as materialized (
        select keyword, part, search_words_with(part, ${asLiteral(MAX_WORDS)}) as words,
          count(*) over (partition by keyword) as parts
        from unnest(${keywords}) keyword, search_parts(keyword) part
      ), walked as (
        select distinct on (keyword) words from terms, lateral (
          select count(*) as entries from (
            select from unnest(words) sought (word), lateral (${newestOfSought}) entry
            where parts > 1 limit ${REACH}
          ) counted
        ) known
        order by keyword, words is null, entries
      ), candidates as (
        select entry.position
        from walked, lateral (
          select distinct position
          from unnest(words) sought (word), lateral (${newestOfSought}) entry
          order by position desc limit ${REACH}
        ) entry
        union
        select newest.position
        from unnest(${categories}) chosen, lateral (
          select position from wanted_items where category = chosen and ${newestOpen}
        ) newest
        union
        select newest.position
        from (select from walked where words is null limit 1) broad, lateral (
          select position from wanted_items where ${newestOpen}
        ) newest
        order by position desc
      )
      select candidates.position
      from candidates, lateral (
        select from wanted_items
        where position = candidates.position and ${isOpen} and ${isUnexpired(now)}
          and user_id <> ${seller.id} and not ${areBlocked(sql`wanted_items.user_id`, seller.id)} and (
          category = any(${categories}::text[])
          or exists (select from terms group by keyword having bool_and(${HAS_TERM}))
        ) offset 0
      ) fits
      order by candidates.position desc limit ${asLiteral(limit)}
    )`,
    now,
  )
}

/** Whether a request has a term. Terms with too many words to look up are compared with each word of the request. */
const HAS_TERM = sql`case
  when terms.words is not null then wanted_items.words && terms.words
  else exists (
    select from unnest(wanted_items.words) word
    where case when char_length(part) < 3 then starts_with(word, part) else strpos(word, part) > 0 end
  )
end`
