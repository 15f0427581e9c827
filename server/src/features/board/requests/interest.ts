import { sql } from 'drizzle-orm'
import type { Db } from '../../../database/database.ts'
import type { ViewCounter } from './view-counter.ts'

interface Interest {
  views: number
  contacts: number
}

/** Numbers that only the owner of a request may see (ADR 65). */
export async function interestIn(
  db: Db,
  counter: ViewCounter,
  ids: number[],
): Promise<Map<number, Interest>> {
  if (ids.length === 0) return new Map()
  const found = await findInterest(db, ids)
  return new Map(
    found.map(({ id, views, contacts }) => [id, { views: views + counter.pendingOf(id), contacts }]),
  )
}

interface InterestRow extends Record<string, unknown> {
  id: number
  views: number
  contacts: number
}

/** How often requests were viewed, and how many people have sent their owner a message or an offer. */
async function findInterest(db: Db, ids: number[]): Promise<InterestRow[]> {
  const { rows } = await db.execute<InterestRow>(sql`
    select item.id, coalesce(viewed.count, 0) as views, (
      select count(*)::int from (
        select sender_id from messages where wanted_item_id = item.id and sender_id <> item.user_id
        union
        select seller_id from offers where wanted_item_id = item.id
      ) person
    ) as contacts
    from wanted_items item
    left join request_views viewed on viewed.wanted_item_id = item.id
    where item.id = any(${sql.param(ids)})`)
  return rows
}
