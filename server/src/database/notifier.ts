import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import {
  type Announcement,
  purgeAnnouncements,
  readNewAnnouncements,
  type Snapshot,
} from './announcements.ts'
import { prepareClient } from './pooler.ts'

/*
 * One of all processes passes the stored announcements on with NOTIFY (ADR 107). It holds a lease, because a lock
 * of a session would outlive a host that vanishes, and would need a connection without a pooler.
 */

/** How often announcements are passed on. */
const PASS_ON_MS = 25
const RENEW_MS = 500
const LEASE_MS = 2_000
const PURGE_MS = 60_000
const QUERY_TIMEOUT_MS = 5_000

/** graphile-worker wakes as many workers as the payloads count. */
const JOBS_CHANNEL = 'jobs:insert'

const SETTINGS = {
  statement_timeout: String(QUERY_TIMEOUT_MS),
  // After a crash of PostgreSQL, every process listens anew and tells its clients to read everything again.
  synchronous_commit: 'off',
  // The planner does not know how few announcements are new, and would read all of them.
  enable_seqscan: 'off',
  plan_cache_mode: 'force_generic_plan',
}

export interface Notifier {
  /** Idempotent. */
  start(): void
  stop(): Promise<void>
}

/** The pool is used to ask for the lease. Only the process that has it opens another connection. */
export function createNotifier(pool: pg.Pool, databaseUrl: string, log: FastifyBaseLogger): Notifier {
  const id = randomUUID()
  const stopping = new AbortController()
  const { signal } = stopping
  let running: Promise<void> | undefined

  const pause = (ms: number) => wait(ms, undefined, { signal }).catch(() => {})

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        const { rows } = await pool.query<{ position: Snapshot }>(ACQUIRE_SQL, [id, LEASE_MS])
        if (rows[0]) await passOn(rows[0].position)
      } catch (error) {
        log.debug({ err: error }, 'could not pass announcements on')
      }
      await pause(RENEW_MS)
    }
  }

  /** Ends when another process has the lease. */
  async function passOn(position: Snapshot): Promise<void> {
    const client = new pg.Client({
      connectionString: databaseUrl,
      application_name: 'sought notifier',
      query_timeout: QUERY_TIMEOUT_MS,
    })
    // A broken connection also rejects the running query, so the event needs no handling.
    client.on('error', () => {})
    await client.connect()
    try {
      await prepareClient(client, SETTINGS, QUERY_TIMEOUT_MS)
      let known = position
      let renewedAtMs = performance.now()
      let purgedAtMs = Number.NEGATIVE_INFINITY
      while (!signal.aborted) {
        known = await passNewOn(client, known)
        const nowMs = performance.now()
        if (nowMs - renewedAtMs >= RENEW_MS) {
          if (!(await client.query(RENEW_SQL, [id, known])).rowCount) return
          renewedAtMs = nowMs
        }
        if (nowMs - purgedAtMs >= PURGE_MS) {
          await purgeAnnouncements(client)
          purgedAtMs = nowMs
        }
        await pause(PASS_ON_MS)
      }
      await client.query(RELEASE_SQL, [id, await passNewOn(client, known)])
    } finally {
      await client.end().catch(() => {})
    }
  }

  return {
    start() {
      running ??= run()
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}

/**
 * Returns up to where announcements were passed on. What came after the last renewal is passed on once more. The
 * first notifier begins now, and so does one of a database that was restored on another server.
 */
const ACQUIRE_SQL = `
  update installation set notifier = $1, notified_at = now(), notified_until = case
    when pg_snapshot_xmax(notified_until::pg_snapshot) <= pg_snapshot_xmax(pg_current_snapshot()) then notified_until
    else pg_current_snapshot()::text end
  where notifier = $1 or notified_at is null or notified_at < now() - $2 * interval '1 millisecond'
  returning notified_until as position`

const RENEW_SQL = 'update installation set notified_at = now(), notified_until = $2 where notifier = $1'

/** Until another process has the lease, commits use NOTIFY themselves. */
const RELEASE_SQL =
  'update installation set notifier = null, notified_at = null, notified_until = $2 where notifier = $1'

/** Returns the new position. */
async function passNewOn(client: pg.ClientBase, known: Snapshot): Promise<Snapshot> {
  const { snapshot, announced } = await readNewAnnouncements(client, known)
  if (announced.length > 0) {
    await client.query(
      `select pg_notify(channel, payload) from json_to_recordset($1) as announced (channel text, payload text)`,
      [JSON.stringify(mergeJobs(announced))],
    )
  }
  return snapshot
}

/** One announcement for all jobs, so that a worker is woken once. */
function mergeJobs(announced: Announcement[]): Announcement[] {
  const jobs = announced.filter(({ channel }) => channel === JOBS_CHANNEL)
  if (jobs.length < 2) return announced
  const count = jobs.reduce((sum, { payload }) => sum + Number(JSON.parse(payload).count), 0)
  const others = announced.filter(({ channel }) => channel !== JOBS_CHANNEL)
  return [...others, { channel: JOBS_CHANNEL, payload: JSON.stringify({ count }) }]
}
