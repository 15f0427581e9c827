import { and, desc, eq, lt, ne, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../platform/database.ts'
import { wantedItems } from '../../platform/schema.ts'
import { findNearTerms, findTerms, LAST_ID, newestOfSought, REACH, type Term } from './search-terms.ts'

/*
 * Search (ADR 30). Each word has the ids of its open requests in wanted_item_words, newest last, so that one
 * word is answered by walking down from the newest. Of several words the rarest is walked and the others are
 * looked for in each request on the way. Words that meet too seldom for that are left to a GIN index.
 */

export interface SearchFilter {
  category?: string | undefined
  urgency?: 'low' | 'medium' | 'high' | undefined
  notOf?: string | undefined
  before?: number | undefined
  limit: number
}

/** What the planner might prefer to the GIN index, and its compiler, which takes longer than the search. */
const OTHER_WAYS = ['enable_seqscan', 'enable_indexscan', 'jit']

/** Reads requests, given an SQL array of their ids. */
type Read<Item> = (db: Db, ids: SQL) => Promise<Item[]>

/**
 * The newest open requests that have every word of the search, or a part of a word for it. If there are none,
 * the newest that have a near spelling. Null if the search has no words.
 */
export async function searchOpenItems<Item>(
  db: Db,
  search: string,
  filter: SearchFilter,
  read: Read<Item>,
): Promise<Item[] | null> {
  const before = filter.before ?? LAST_ID
  const terms = await findTerms(db, { ...filter, search, before })
  if (!terms.some(({ part }) => part !== null)) return null
  const items = await findMatching(db, terms, filter, read)
  if (items.length > 0) return items
  // An empty page after others is the end of a search that did match, and no reason to try another.
  if (filter.before) {
    const first = await searchAsTyped(db, search, { ...filter, before: undefined, limit: 1 }, read)
    if (first.length > 0) return []
  }
  return findMatching(db, await findNearTerms(db, terms, before), filter, read)
}

async function searchAsTyped<Item>(db: Db, search: string, filter: SearchFilter, read: Read<Item>) {
  const terms = await findTerms(db, { ...filter, search, before: filter.before ?? LAST_ID })
  return findMatching(db, terms, filter, read)
}

async function findMatching<Item>(db: Db, terms: Term[], filter: SearchFilter, read: Read<Item>) {
  if (terms.some(({ words }) => words?.length === 0)) return []
  const rarest = terms.reduce((rarest, term) => (isRarer(term, rarest) ? term : rarest))
  const others = terms.filter((term) => term !== rarest)
  const items = await read(db, walk(rarest, others, filter))
  const sawAll = items.length === filter.limit || rarest.entries < REACH || isAlone(rarest, others, filter)
  return sawAll ? items : intersect(db, terms, filter, read)
}

function isRarer(one: Term, other: Term): boolean {
  if (one.entries !== other.entries) return one.entries < other.entries
  return (one.words?.length ?? 0) < (other.words?.length ?? 0)
}

/** Whether a term alone decides, so that no request on its way is passed over. */
function isAlone(term: Term, others: Term[], { notOf, urgency }: SearchFilter): boolean {
  return term.words !== null && others.length === 0 && !notOf && !urgency
}

/** Down from the newest that has the rarest term, past those that lack another one. */
function walk(rarest: Term, others: Term[], filter: SearchFilter): SQL {
  if (isAlone(rarest, others, filter)) return sql`array(${newest(rarest, filter, filter.limit)})`
  const checked = rarest.words ? others : [...others, rarest]
  // Offset 0 keeps the planner from turning the walk into a join of everything.
  return sql`array(
    select item_id
    from (${newest(rarest, filter, REACH)}) candidate, lateral (
      select from wanted_items where id = item_id and ${and(...conditions(filter), ...checked.map(isHeld))} offset 0
    ) fits
    order by item_id desc limit ${filter.limit}
  )`
}

function newest({ words }: Term, { before = LAST_ID }: SearchFilter, most: number): SQL {
  if (words) {
    return sql`
      select distinct item_id
      from unnest(${sql.param(words)}::text[]) sought (word), lateral ${newestOfSought(before, most)} entry
      order by item_id desc limit ${most}`
  }
  return sql`
    select id as item_id from wanted_items
    where status = 'open' and id < ${before} order by id desc limit ${most}`
}

/**
 * All that have every term, by the GIN index, and of these the newest. The planner may use nothing else: its
 * other ways read the whole table, and it cannot tell beforehand how seldom words meet.
 */
function intersect<Item>(db: Db, terms: Term[], filter: SearchFilter, read: Read<Item>) {
  const { before = LAST_ID, limit } = filter
  const matching = db
    .select({ id: wantedItems.id })
    .from(wantedItems)
    .where(and(lt(wantedItems.id, before), ...conditions(filter), ...areIndexed(terms)))
    .orderBy(desc(wantedItems.id))
    .limit(limit)
  return db.transaction(async (tx) => {
    await tx.execute(
      sql`select set_config(name, 'off', true) from unnest(${sql.param(OTHER_WAYS)}::text[]) name`,
    )
    return read(tx, sql`array(${matching})`)
  })
}

/** Spelt out, not a parameter, so that the planner knows an index of open requests when it sees one. */
export const isOpen = sql`${wantedItems.status} = 'open'`

function conditions({ category, urgency, notOf }: SearchFilter): SQL[] {
  return [
    isOpen,
    ...(category ? [eq(wantedItems.category, category)] : []),
    ...(urgency ? [eq(wantedItems.urgency, urgency)] : []),
    ...(notOf ? [ne(wantedItems.userId, notOf)] : []),
  ]
}

/** Whether a request that is at hand has a term. */
function isHeld({ words, part }: Term): SQL {
  if (words) return hasAny(sql`${sql.param(words)}::text[]`)
  return sql`exists (select from unnest(${wantedItems.words}) word where word like ${pattern(part)})`
}

/** The same of all terms, as the index answers it soonest: words that stand for themselves in one condition. */
function areIndexed(terms: Term[]): SQL[] {
  const single = terms.flatMap(({ words }) => (words?.length === 1 ? words : []))
  const others = terms.filter(({ words }) => words?.length !== 1)
  return [
    ...(single.length > 0 ? [sql`${wantedItems.words} @> ${sql.param(single)}::text[]`] : []),
    ...others.map(({ part, words }) =>
      hasAny(words ? sql`${sql.param(words)}::text[]` : sql`search_words_with(${part}, ${LAST_ID - 1})`),
    ),
  ]
}

function hasAny(words: SQL): SQL {
  return sql`${wantedItems.words} && ${words}`
}

/** As search_words_with understands a part: short ones begin a word, others may be anywhere in it. */
function pattern(part: string | null): string {
  const text = (part ?? '').replace(/[\\%_]/g, '\\$&')
  return [...(part ?? '')].length < 3 ? `${text}%` : `%${text}%`
}
