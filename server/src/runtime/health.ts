import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type pg from 'pg'
import { collectDefaultMetrics, Histogram, type Registry } from 'prom-client'
import { refuse } from '../core/errors.ts'
import { isSameText } from '../core/same-text.ts'
import { answerError } from '../http/answer-error.ts'
import type { Services } from '../services.ts'

/** How long a health check waits for the database. */
const PROBE_MS = 3_000
const DURATION_BUCKETS_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

/** API calls are refused until the server is ready. */
export interface Readiness {
  ready: boolean
  /** Set when the process stops. It still answers, but load balancers should send no more requests. */
  shutdown?: 'draining' | 'closing'
}

export function addHealth(
  app: FastifyInstance,
  services: Pick<Services, 'database' | 'config' | 'keyWatch'>,
  readiness: Readiness,
  metrics: Registry,
): void {
  const { config } = services
  addProbes(app, services, readiness)
  collectDefaultMetrics({ register: metrics })
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Request duration by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: DURATION_BUCKETS_SECONDS,
    registers: [metrics],
  })
  app.addHook('onResponse', (request, reply, done) => {
    const labels = {
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
    }
    durations.observe(labels, reply.elapsedTime / 1000)
    done()
  })

  const sendMetrics = async (reply: FastifyReply) =>
    reply.type(metrics.contentType).send(await metrics.metrics())
  const sendWithToken = async (request: FastifyRequest, reply: FastifyReply) => {
    if (!hasToken(request, config.metricsToken)) throw refuse('not_found')
    return sendMetrics(reply)
  }
  app.get('/metrics', sendWithToken)
  if (config.metricsListener) {
    const { needsToken, ...address } = config.metricsListener
    const listener = listen(app, address)
    listener.get('/metrics', needsToken ? sendWithToken : (_, reply) => sendMetrics(reply))
    addProbes(listener, services, readiness)
  }
}

function addProbes(
  app: FastifyInstance,
  { database, keyWatch }: Pick<Services, 'database' | 'keyWatch'>,
  readiness: Readiness,
): void {
  app.get('/healthz', async () => ({ ok: true }))

  app.get('/readyz', async () => {
    if (!readiness.ready || readiness.shutdown) throw refuse('unavailable', { retryAfterSeconds: 1 })
    const message = keyWatch?.problem()
    if (message)
      throw refuse('unavailable', {
        message: 'Card payments are not possible.',
        issues: [{ path: 'cardPayments', message }],
      })
    if (database.isSilent())
      throw refuse('unavailable', { message: 'The database does not answer.', retryAfterSeconds: 1 })
    const probe: pg.QueryConfig & { query_timeout: number } = { text: 'select 1', query_timeout: PROBE_MS }
    await database.probe.query(probe)
    return { ok: true }
  })
}

/**
 * Creates a separate listener. On the public port, a request from this machine proves nothing, because a proxy may
 * have forwarded it.
 */
function listen(app: FastifyInstance, address: { port: number; host: string }): FastifyInstance {
  const listener = fastify()
  listener.setErrorHandler(answerError)
  app.addHook('onReady', async () => {
    await listener.listen(address)
  })
  app.addHook('onClose', () => listener.close())
  return listener
}

function hasToken({ headers }: FastifyRequest, token: string | undefined): boolean {
  return token !== undefined && isSameText(headers.authorization ?? '', `Bearer ${token}`)
}
