import type pg from 'pg'
import { inTime } from '../core/in-time.ts'

/*
 * Concurrent identical reads are combined. Callers that arrive while a read runs share the next one, which starts
 * after they asked, so nobody sees stale data (ADR 35). It does not wait long for a read that gets no answer (ADR 104).
 */

const WAIT_MAX_MS = 1_000

interface Queue {
  /** Resolves when the running read has ended, even if it failed. */
  ended: Promise<void>
  next: Promise<unknown> | null
}

const queuesOf = new WeakMap<pg.Pool, Map<string, Queue>>()

/** The result is shared between callers, so they must not change it. */
export function shareRead<Answer>(
  pool: pg.Pool,
  key: string,
  read: () => Promise<Answer>,
  waitMaxMs = WAIT_MAX_MS,
): Promise<Readonly<Answer>> {
  const queues = queuesOf.get(pool) ?? new Map<string, Queue>()
  queuesOf.set(pool, queues)

  const start = () => {
    const answer = read()
    const removeIfLast = () => {
      if (!queue.next && queues.get(key) === queue) queues.delete(key)
    }
    const queue: Queue = { ended: answer.then(removeIfLast, removeIfLast), next: null }
    queues.set(key, queue)
    return answer
  }

  const queue = queues.get(key)
  if (!queue) return start()
  queue.next ??= inTime(queue.ended, waitMaxMs).then(start, start)
  return queue.next as Promise<Answer>
}
