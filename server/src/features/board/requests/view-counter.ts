import { hash, randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import type { Clock } from '../../../core/clock.ts'
import type { Db } from '../../../database/database.ts'
import type { User } from '../../../http/session.ts'

const WRITE_AFTER_MS = 5_000
const DAY_MS = 86_400_000
/** The limit for one day. Above it, views are not counted. */
const VIEWS_MAX = 500_000
const BOT = /bot|crawl|spider|slurp|preview|lighthouse|monitor/i

export interface ViewCounter {
  /** Counts a view by anyone but the owner. Repeated views on one day count once. */
  count(item: { id: number; userId: string }, visitor: User | null, request: FastifyRequest): void
  /** Views that are not written yet. */
  pendingOf(itemId: number): number
  write(): Promise<void>
}

/**
 * Counts views of requests without tracking visitors (ADR 65): only hashes are kept, in memory, with a salt that is
 * discarded with them at the end of the day. Views are written in batches.
 */
export function createViewCounter(db: Db, clock: Clock, log: FastifyBaseLogger): ViewCounter {
  let day = 0
  let salt = newSalt()
  let seen = new Set<string>()
  let pending = new Map<number, number>()
  let timer: NodeJS.Timeout | undefined

  function isFirst(who: string, itemId: number): boolean {
    const today = Math.floor(clock().getTime() / DAY_MS)
    if (today !== day) {
      day = today
      salt = newSalt()
      seen = new Set()
    }
    const key = hash('sha256', `${salt} ${itemId} ${who}`, 'base64url')
    if (seen.has(key) || seen.size >= VIEWS_MAX) return false
    seen.add(key)
    return true
  }

  function add(itemId: number, count: number): void {
    pending.set(itemId, (pending.get(itemId) ?? 0) + count)
  }

  async function write(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const writing = pending
    if (writing.size === 0) return
    pending = new Map()
    try {
      await addViews(db, writing)
    } catch (error) {
      for (const [itemId, count] of writing) add(itemId, count)
      log.warn({ err: error }, 'views are not written')
    }
  }

  return {
    count(item, visitor, request) {
      const agent = request.headers['user-agent'] ?? ''
      if (visitor?.id === item.userId || BOT.test(agent)) return
      if (!isFirst(visitor?.id ?? `${request.ip} ${agent}`, item.id)) return
      add(item.id, 1)
      timer ??= setTimeout(() => void write(), WRITE_AFTER_MS).unref()
    },
    pendingOf: (itemId) => pending.get(itemId) ?? 0,
    write,
  }
}

const newSalt = () => randomBytes(32).toString('base64url')

/** Ordered by id, so that concurrent processes cannot deadlock. */
async function addViews(db: Db, views: ReadonlyMap<number, number>): Promise<void> {
  await db.execute(sql`
    insert into request_views (wanted_item_id, count)
    select added.id, added.count
    from unnest(${sql.param([...views.keys()])}::int[], ${sql.param([...views.values()])}::int[]) added (id, count)
    join wanted_items item on item.id = added.id
    order by added.id
    on conflict (wanted_item_id) do update set count = request_views.count + excluded.count`)
}
