import { and, gt, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Db } from '../../database/database.ts'
import { users, wantedItems } from '../../database/schema.ts'
import { isOpen, isUnexpired } from '../board/requests/search/item-filter.ts'

/** A part of a list that is split by ranges of ids. It ends with `lastId`. */
export interface Part<Id> {
  lastId: Id
  changedAt: Date | null
}

export interface Entry<Id> {
  id: Id
  changedAt: Date
}

const isListed = (now: Date) => and(isOpen, isUnexpired(now))

/** People whose page has content. */
const hasPublicPage = (now: Date) =>
  and(
    isNull(users.deletedAt),
    or(
      gt(users.ratingCount, 0),
      sql`exists (select from ${wantedItems} where ${wantedItems.userId} = ${users.id} and ${isListed(now)})`,
    ),
  )

/**
 * The latest public change: a review, or one of the newest requests. A user can have thousands of requests,
 * too many to read. Other changes of an account are private.
 */
const personChangedAt = sql<Date>`greatest(${users.createdAt},
  (select max(updated_at) from (
    select updated_at from wanted_items
    where wanted_items.user_id = users.id and ${isOpen} order by id desc limit 50
  ) newest),
  (select created_at from reviews where reviews.subject_id = users.id order by id desc limit 1))`.mapWith(
  users.createdAt,
)

export function findRequestParts(db: Db, now: Date, size: number): Promise<Part<number>[]> {
  const open = db
    .select({ id: wantedItems.id, changedAt: wantedItems.updatedAt.getSQL().as('changed_at') })
    .from(wantedItems)
    .where(isListed(now))
  return findParts<number>(db, open.getSQL(), size)
}

/** The parts have no time of change, because computing it for each person is expensive. */
export function findPeopleParts(db: Db, now: Date, size: number): Promise<Part<string>[]> {
  const people = sql`select ${users.id} as id, null::timestamptz as changed_at from ${users} where ${hasPublicPage(now)}`
  return findParts<string>(db, people, size)
}

async function findParts<Id>(db: Db, entries: SQL, size: number): Promise<Part<Id>[]> {
  const { rows } = await db.execute<{ id: Id; changed_at: string | null }>(sql`
    select max(id) as id, max(changed_at) as changed_at
    from (select id, changed_at, (row_number() over (order by id) - 1) / ${size}::integer as part
      from (${entries}) entries) numbered
    group by part order by part`)
  return rows.map(({ id, changed_at }) => ({
    lastId: id,
    changedAt: changed_at ? new Date(changed_at) : null,
  }))
}

export interface Range<Id> {
  /** Exclusive. Undefined for the first part. */
  after: Id | undefined
  /** Inclusive. Undefined for the last part. */
  upTo: Id | undefined
  limit: number
  now: Date
}

function within<Id>(id: PgColumn, { after, upTo }: Pick<Range<Id>, 'after' | 'upTo'>) {
  return [after === undefined ? undefined : gt(id, after), upTo === undefined ? undefined : lte(id, upTo)]
}

export function findOpenRequests(
  db: Db,
  { after, upTo, limit, now }: Range<number>,
): Promise<Entry<number>[]> {
  const { id, updatedAt } = wantedItems
  return db
    .select({ id, changedAt: updatedAt })
    .from(wantedItems)
    .where(and(isListed(now), ...within(id, { after, upTo })))
    .orderBy(id)
    .limit(limit)
}

export function findPublicPeople(
  db: Db,
  { after, upTo, limit, now }: Range<string>,
): Promise<Entry<string>[]> {
  const { id } = users
  return db
    .select({ id, changedAt: personChangedAt })
    .from(users)
    .where(and(hasPublicPage(now), ...within(id, { after, upTo })))
    .orderBy(id)
    .limit(limit)
}

/** The categories with open requests, and the time of the latest change in each. */
export async function findCategoryChanges(
  db: Db,
  now: Date,
): Promise<{ category: string; changedAt: Date }[]> {
  return db
    .select({
      category: wantedItems.category,
      changedAt: sql<Date>`max(${wantedItems.updatedAt})`.mapWith(wantedItems.updatedAt),
    })
    .from(wantedItems)
    .where(isListed(now))
    .groupBy(wantedItems.category)
    .orderBy(wantedItems.category)
}
