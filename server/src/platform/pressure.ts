import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { refuse } from './errors.ts'

/*
 * More than can be answered in time is refused at the door, where it costs least, so that those who are inside
 * are still served (ADR 37).
 */

/** A queue ten times as long as there are connections: whoever came now would be answered too late. */
const MOST_WAITING = 200
const MOST_LAG_MS = 500
const LOOK_EVERY_MS = 100

/** Whoever looks after the server has to see it then more than ever. */
const ALWAYS_ANSWERED = new Set(['/healthz', '/readyz', '/metrics'])

/** Refuses with 503, except to who watches over it, while the database or the process cannot keep up. */
export function refuseUnderPressure(app: FastifyInstance, pool: pg.Pool, lagMs = watchLag(app)): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const tooMuch = pool.waitingCount > MOST_WAITING || lagMs() > MOST_LAG_MS
    if (tooMuch && !ALWAYS_ANSWERED.has(request.url)) throw refuse('unavailable', { retryAfterSeconds: 1 })
    done()
  })
}

/** How late the process does what it should do now. One pause alone, for garbage or a large file, does not count. */
function watchLag(app: FastifyInstance): () => number {
  let lookedAt = performance.now()
  let [lag, lagBefore] = [0, 0]
  const timer = setInterval(() => {
    const now = performance.now()
    lagBefore = lag
    lag = now - lookedAt - LOOK_EVERY_MS
    lookedAt = now
  }, LOOK_EVERY_MS)
  timer.unref()
  app.addHook('onClose', async () => clearInterval(timer))
  return () => Math.min(lag, lagBefore)
}
