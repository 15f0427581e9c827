import type { FastifyInstance } from 'fastify'
import { refuse } from '../core/errors.ts'
import { MONITORING_PATHS } from './monitoring-paths.ts'

/*
 * Load shedding: an overloaded server refuses new requests early, so that the requests it has accepted are still
 * answered in time (ADR 37).
 */

/** On two cores, the last of them is answered after about two seconds. */
const MAX_IN_PROGRESS = 300
const MAX_LAG_MS = 500
const CHECK_EVERY_MS = 100
const BUSY_UTILIZATION = 0.9
const BUSY_WINDOW_MS = 5_000

export interface Pressure {
  /** Refuses requests while the database or the process cannot keep up. */
  refuseOverload(url: string): void
  /** Whether the process has hardly any spare time. Work that browsers can do is then left to them. */
  isBusy(): boolean
}

export const NO_PRESSURE: Pressure = { refuseOverload: () => {}, isBusy: () => false }

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether requests may take long although the server is not busy, such as uploads. */
    takesLong?: boolean
  }
  interface FastifyRequest {
    isInProgress: boolean
  }
}

export function watchPressure(app: FastifyInstance): Pressure {
  const lagMs = measureLag(app)
  let inProgress = 0
  const refuseOverload = (url: string) => {
    const overloaded = inProgress >= MAX_IN_PROGRESS || lagMs() > MAX_LAG_MS
    if (overloaded && !MONITORING_PATHS.has(url)) throw refuse('unavailable', { retryAfterSeconds: 1 })
  }
  app.decorateRequest('isInProgress', false)
  // Counted from here, where the body has arrived, until the reply is ready: slow clients do not count.
  app.addHook('preHandler', (request, _reply, done) => {
    if (!request.routeOptions.config.takesLong) {
      refuseOverload(request.url)
      request.isInProgress = true
      inProgress++
    }
    done()
  })
  app.addHook('onSend', (request, _reply, payload, done) => {
    if (request.isInProgress) inProgress--
    request.isInProgress = false
    done(null, payload)
  })
  return { refuseOverload, isBusy: watchUtilization(app) }
}

/** Measures the part of the time that the event loop was not idle. */
function watchUtilization(app: FastifyInstance): () => boolean {
  let last = performance.eventLoopUtilization()
  let isBusy = false
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization()
    isBusy = performance.eventLoopUtilization(now, last).utilization > BUSY_UTILIZATION
    last = now
  }, BUSY_WINDOW_MS)
  timer.unref()
  app.addHook('onClose', async () => clearInterval(timer))
  return () => isBusy
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
