import { sql } from 'drizzle-orm'
import type { Db } from './database.ts'
import { presence } from './schema.ts'

/** Notes that these people have a page open. In one order for everybody, so that no two processes wait for each other. */
export async function notePresence(db: Db, userIds: string[], now: Date): Promise<void> {
  if (userIds.length === 0) return
  await db.execute(sql`
    insert into ${presence} (user_id, seen_at)
    select id, ${now.toISOString()}::timestamptz from users where id = any(${sql.param(userIds)}) order by id
    on conflict (user_id) do update set seen_at = excluded.seen_at`)
}
