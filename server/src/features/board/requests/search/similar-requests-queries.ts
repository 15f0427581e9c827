import { desc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../../database/database.ts'
import { users, wantedItems } from '../../../../database/schema.ts'
import { itemWithOwner } from '../queries.ts'
import { isOpen, isUnexpired } from './item-filter.ts'

/** The number of words of the title, rarest first, that are compared. */
const MAX_WORDS = 6
/** The number of newest requests per word and category that are compared. */
const REACH = 40
/** The limit up to which words are counted to find the rare ones. */
const COMMON = 100

/**
 * Other open requests with words of the title or in the category, most similar first. A word counts between 1 and
 * 2, more if it is rarer, and the category counts 1. Stop words do not count: the dictionary has no lexeme for
 * them. The work does not grow with the number of requests (ADR 66).
 */
export function findSimilarItems(
  db: Db,
  { id, notOf, limit, now }: { id: number; notOf: string | undefined; limit: number; now: Date },
) {
  const ranked = sql`(
    with asked as materialized (
      select title, category from wanted_items where id = ${id} and hidden_at is null
    ), terms as materialized (
      select word, (
        select count(*) from (
          select from wanted_item_words entry where entry.word = part.word collate "C" limit ${COMMON}
        ) counted
      ) as entries
      from asked, search_parts(title) part (word)
      where ts_lexize('english_stem', word) <> '{}'
      order by entries limit ${MAX_WORDS}
    ), candidates as (
      select newest.position
      from terms, lateral (
        select position from wanted_item_words where word = terms.word collate "C"
        order by position desc limit ${REACH}
      ) newest
      union
      select newest.position
      from asked, lateral (
        select position from wanted_items where category = asked.category and ${isOpen}
        order by position desc limit ${REACH}
      ) newest
    )
    select compared.position, (
      select coalesce(sum(2 - entries / ${COMMON}::real), 0) from terms where word = any(compared.words)
    ) + (compared.category = asked.category)::integer as score
    from asked, candidates, lateral (
      select position, words, category from wanted_items
      where position = candidates.position and ${isOpen} and ${isUnexpired(now)} and id <> ${id}
        and user_id is distinct from ${notOf ?? null}::text offset 0
    ) compared
    order by score desc, position desc limit ${limit}
  ) ranked`
  return db
    .select(itemWithOwner)
    .from(wantedItems)
    .innerJoin(users, eq(users.id, wantedItems.userId))
    .innerJoin(ranked, sql`ranked.position = ${wantedItems.position}`)
    .orderBy(sql`ranked.score desc`, desc(wantedItems.position))
}
