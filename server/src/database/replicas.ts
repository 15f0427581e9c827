import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import { inTime } from '../core/in-time.ts'
import { isUnavailable, type PooledDb } from './database.ts'

/*
 * Reads that may be slightly stale go to replicas (ADR 73). A replica is used only if it has the user's last write
 * and is not far behind. If the replica's answer is not a success, the primary is asked.
 */

/** The user who reads. The last write is a position in the primary's log. */
export interface Reader {
  id: string
  lastWrite: string | null
}

export interface Replicas {
  read<Result>(reader: Reader | null, work: (db: PooledDb) => Promise<Result>): Promise<Result>
  /** These users read from the primary until the replicas have all changes so far. */
  awaitChanges(userIds: readonly string[]): void
  close(): Promise<void>
}

interface Replica {
  pool: pg.Pool
  db: PooledDb
  /**
   * How far it has replayed the primary's log. Null if it is down, too far behind, or a replica of another server.
   */
  position: number | null
}

const POLL_MS = 500
const POLL_TIMEOUT_MS = 2_000
const ANSWER_WITHIN_MS = 3_000
/** Replicas that are further behind are not used. */
const STALE_MAX_MS = 10_000
/** Longer than any replica in use can be behind. */
const AWAIT_MAX_MS = 2 * STALE_MAX_MS

/** `onForeign` is called with the index of a server that has another database than the primary. */
export function createReplicas(
  primary: PooledDb,
  pools: pg.Pool[],
  onForeign: (place: number) => void,
  staleMaxMs = STALE_MAX_MS,
): Replicas {
  if (pools.length === 0)
    return { read: (_, work) => work(primary), awaitChanges: () => {}, close: async () => {} }
  const replicas: Replica[] = pools.map((pool) => ({
    pool,
    db: drizzle(pool, { casing: 'snake_case' }),
    position: null,
  }))
  const foreign = new Set<Replica>()
  /** The positions of the primary in the last seconds, oldest first. */
  let history: { atMs: number; position: number }[] = []
  /** The position that replicas must reach, by user. Infinite until the primary's position is known. */
  const awaited = new Map<string, { position: number; sinceMs: number }>()
  let database: string | undefined
  let next = 0

  const hasArrived = (replica: Replica, position: number) =>
    replica.position !== null && replica.position >= position

  function choose(reader: Reader | null): Replica | undefined {
    const needed = reader ? Math.max(positionOf(reader.lastWrite), awaited.get(reader.id)?.position ?? 0) : 0
    const usable = replicas.filter((replica) => hasArrived(replica, needed))
    return usable[next++ % usable.length]
  }

  async function poll(): Promise<void> {
    const waiting = [...awaited.values()].filter(({ position }) => position === Number.POSITIVE_INFINITY)
    const current = await inTime(readState(primary.$client), POLL_TIMEOUT_MS).catch(() => null)
    if (current) {
      database = current.database
      history.push({ atMs: performance.now(), position: current.position })
      for (const entry of waiting) entry.position = current.position
    }
    const [{ position: oldest } = { position: 0 }] = trimHistory()
    await Promise.all(replicas.map((replica) => update(replica, oldest)))
    for (const [id, { position, sinceMs }] of awaited) {
      const isOver = performance.now() - sinceMs > AWAIT_MAX_MS
      if (isOver || replicas.every((replica) => hasArrived(replica, position))) awaited.delete(id)
    }
  }

  /** Keeps the last position that is old enough, and those after it. */
  function trimHistory() {
    const limit = performance.now() - staleMaxMs
    const at = history.findLastIndex(({ atMs }) => atMs <= limit)
    if (at > 0) history = history.slice(at)
    return history
  }

  async function update(replica: Replica, oldest: number): Promise<void> {
    const state = await inTime(readState(replica.pool), POLL_TIMEOUT_MS).catch(() => null)
    const isForeign = state !== null && database !== undefined && state.database !== database
    if (isForeign && !foreign.has(replica)) onForeign(replicas.indexOf(replica) + 1)
    if (isForeign) foreign.add(replica)
    else foreign.delete(replica)
    const isUsable = state && !isForeign && database !== undefined && state.position >= oldest
    replica.position = isUsable ? state.position : null
  }

  let polling: Promise<void> = poll()
  let closed = false
  const timer = setInterval(() => {
    // A slow poll delays the next one.
    polling = polling.then(() => (closed ? undefined : poll()))
  }, POLL_MS)
  timer.unref()

  return {
    async read(reader, work) {
      const replica = choose(reader)
      if (!replica) return work(primary)
      try {
        return await inTime(work(replica.db), ANSWER_WITHIN_MS)
      } catch (error) {
        if (isUnavailable(error)) replica.position = null
        return work(primary)
      }
    },
    awaitChanges(userIds) {
      for (const id of userIds)
        awaited.set(id, { position: Number.POSITIVE_INFINITY, sinceMs: performance.now() })
    },
    async close() {
      closed = true
      clearInterval(timer)
      await polling
      await Promise.all(pools.map((pool) => pool.end()))
    },
  }
}

const STATE_SQL = `
  select system_identifier || '/' || current_database() as database,
    case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end::text as lsn
  from pg_control_system()`

async function readState(pool: pg.Pool): Promise<{ database: string; position: number }> {
  const query = { text: STATE_SQL, query_timeout: POLL_TIMEOUT_MS }
  const { rows } = await pool.query<{ database: string; lsn: string | null }>(query)
  const [row] = rows
  if (!row?.lsn) throw new Error('the server has no position in the log')
  return { database: row.database, position: positionOf(row.lsn) }
}

const SEGMENT = 2 ** 32

/** PostgreSQL writes a position of its log as two hexadecimal numbers. */
function positionOf(lsn: string | null): number {
  const [, high = '0', low = '0'] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(lsn ?? '') ?? []
  return Number.parseInt(high, 16) * SEGMENT + Number.parseInt(low, 16)
}
