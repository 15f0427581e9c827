import { lt, sql } from 'drizzle-orm'
import type pg from 'pg'
import type { Db } from './database.ts'
import { announcements } from './schema.ts'

/*
 * For a process that cannot LISTEN because a pooler is in front of PostgreSQL: announcements are stored, and it
 * reads them (ADR 72).
 */

/** Less than the minute for which the SQL function `announce` stores announcements. */
const REQUEST_MS = 15_000
const KEPT_MINUTES = 5

interface Notification {
  channel: string
  payload: string
}

/** Returns a function that reads the announcements since its last call. */
export function createAnnouncementReader(client: pg.Client): () => Promise<Notification[]> {
  let requestedAtMs = Number.NEGATIVE_INFINITY
  let snapshot: string | null = null
  return async () => {
    if (performance.now() - requestedAtMs > REQUEST_MS) {
      await client.query('update installation set announcements_read_at = now()')
      requestedAtMs = performance.now()
    }
    const { rows } = await client.query<{ snapshot: string; announced: Notification[] }>(NEW_SQL, [snapshot])
    snapshot = rows[0]?.snapshot ?? null
    return rows[0]?.announced ?? []
  }
}

/**
 * Ids do not show what is new, because a transaction with lower ids may commit later. Without a snapshot, nothing
 * is new.
 */
const NEW_SQL = `
  select pg_current_snapshot()::text as snapshot, (
    select json_agg(json_build_object('channel', channel, 'payload', payload) order by id)
    from announcements
    where transaction_id >= pg_snapshot_xmin($1::pg_snapshot)
      and not pg_visible_in_snapshot(transaction_id, $1::pg_snapshot)
  ) as announced`

export async function purgeAnnouncements(db: Db): Promise<void> {
  await db
    .delete(announcements)
    .where(lt(announcements.createdAt, sql`now() - make_interval(mins => ${KEPT_MINUTES})`))
}
