import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { refuse } from './errors.ts'

/*
 * Load shedding: an overloaded server refuses new requests early, so that the requests it has accepted are still
 * answered in time (ADR 37).
 */

/** Ten times the pool size. A request that joined this queue would be answered too late. */
const MAX_WAITING = 200
const MAX_LAG_MS = 500
const CHECK_EVERY_MS = 100

/** Monitoring must keep working under load. */
const ALWAYS_ANSWERED = new Set(['/healthz', '/readyz', '/metrics'])

/** Refuses requests while the database or the process cannot keep up. */
export function shedLoad(app: FastifyInstance, pool: pg.Pool): (url: string) => void {
  const lagMs = measureLag(app)
  return (url) => {
    const overloaded = pool.waitingCount > MAX_WAITING || lagMs() > MAX_LAG_MS
    if (overloaded && !ALWAYS_ANSWERED.has(url)) throw refuse('unavailable', { retryAfterSeconds: 1 })
  }
}

/** Measures the event loop lag. The smaller of the last two values counts, so one garbage collection is ignored. */
function measureLag(app: FastifyInstance): () => number {
  let checkedAt = performance.now()
  let [lag, lagBefore] = [0, 0]
  const timer = setInterval(() => {
    const now = performance.now()
    lagBefore = lag
    lag = now - checkedAt - CHECK_EVERY_MS
    checkedAt = now
  }, CHECK_EVERY_MS)
  timer.unref()
  app.addHook('onClose', async () => clearInterval(timer))
  return () => Math.min(lag, lagBefore)
}
