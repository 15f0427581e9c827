import { eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../database/database.ts'
import { presence } from '../../database/schema.ts'

/** Records that these users have a page open. Ordered by id, so that concurrent processes cannot deadlock. */
export async function recordPresence(db: Db, userIds: string[], now: Date): Promise<void> {
  if (userIds.length === 0) return
  await db.execute(sql`
    insert into ${presence} (user_id, seen_at)
    select id, ${now.toISOString()}::timestamptz from users where id = any(${sql.param(userIds)}) order by id
    on conflict (user_id) do update set seen_at = excluded.seen_at`)
}

export async function deletePresence(tx: Tx, userId: string): Promise<void> {
  await tx.delete(presence).where(eq(presence.userId, userId))
}
