import type pg from 'pg'

/*
 * The SQL function `announce` only writes a row, because a transaction with NOTIFY holds a lock of the whole server
 * while it commits. A notifier passes the rows on (ADR 107).
 */

export interface Announcement {
  channel: string
  payload: string
}

/** Which transactions are known, as PostgreSQL's pg_snapshot. */
export type Snapshot = string

interface NewAnnouncements {
  snapshot: Snapshot
  announced: Announcement[]
}

/**
 * Reads what was committed after a snapshot. Ids do not show what is new, because a transaction with lower ids may
 * commit later. Nothing is new without a snapshot, or with one of another server, such as a restored one.
 */
export async function readNewAnnouncements(
  client: pg.ClientBase,
  since: Snapshot | null,
): Promise<NewAnnouncements> {
  const { rows } = await client.query<{ snapshot: Snapshot; announced: Announcement[] | null }>({
    name: 'new_announcements',
    text: NEW_SQL,
    values: [since],
  })
  const [{ snapshot, announced } = { snapshot: '', announced: null }] = rows
  return { snapshot, announced: announced ?? [] }
}

/**
 * Two parts, so that each uses the index. A row whose transaction is in the future was restored from another
 * server.
 */
const NEW_SQL = `
  select pg_current_snapshot()::text as snapshot, (
    select json_agg(json_build_object('channel', channel, 'payload', payload) order by id)
    from (
      select id, channel, payload from announcements
      where transaction_id >= pg_snapshot_xmax($1::pg_snapshot)
        and transaction_id < pg_snapshot_xmax(pg_current_snapshot())
      union all
      select id, channel, payload from pg_snapshot_xip($1::pg_snapshot) unfinished
        join announcements on transaction_id = unfinished
    ) as new_ones
  ) as announced`

/** Processes behind a pooler read announcements half a second later. */
const PURGE_SQL = `delete from announcements where created_at < now() - interval '5 minutes'`

export async function purgeAnnouncements(client: pg.ClientBase): Promise<void> {
  await client.query(PURGE_SQL)
}
