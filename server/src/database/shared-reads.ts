import type pg from 'pg'

/*
 * Concurrent identical reads are combined. At most one read per key runs at a time; callers that arrive meanwhile
 * share the next read, which starts after they asked, so nobody sees stale data (ADR 35).
 */

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
): Promise<Readonly<Answer>> {
  const queues = queuesOf.get(pool) ?? new Map<string, Queue>()
  queuesOf.set(pool, queues)

  const start = () => {
    const answer = read()
    const removeIfLast = () => {
      if (!queue.next) queues.delete(key)
    }
    const queue: Queue = { ended: answer.then(removeIfLast, removeIfLast), next: null }
    queues.set(key, queue)
    return answer
  }

  const queue = queues.get(key)
  if (!queue) return start()
  queue.next ??= queue.ended.then(start)
  return queue.next as Promise<Answer>
}
