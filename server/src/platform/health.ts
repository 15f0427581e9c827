import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { refuse } from './errors.ts'
import { createRequestTimes } from './request-times.ts'
import type { Services } from './services.ts'

/** API calls are refused until the server is ready. */
export interface Readiness {
  ready: boolean
}

const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])

export function addHealth(
  app: FastifyInstance,
  { database, config }: Pick<Services, 'database' | 'config'>,
  readiness: Readiness,
): Registry {
  app.get('/healthz', async () => ({ ok: true }))

  app.get('/readyz', async () => {
    if (!readiness.ready) throw refuse('unavailable', { retryAfterSeconds: 1 })
    await database.pool.query('select 1')
    return { ok: true }
  })

  const metrics = new Registry()
  collectDefaultMetrics({ register: metrics })
  const times = createRequestTimes()
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    times.observe(request.method, route, reply.statusCode, reply.elapsedTime / 1000)
    done()
  })

  app.get('/metrics', async (request, reply) => {
    if (!canReadMetrics(request, config.metricsToken)) throw refuse('not_found')
    return reply.type(metrics.contentType).send((await metrics.metrics()) + times.text())
  })
  return metrics
}

/** Allowed with the token, or from this machine, unless a local proxy forwards the request. */
function canReadMetrics(request: FastifyRequest, token: string | undefined): boolean {
  const { authorization = '' } = request.headers
  if (token && isSameText(authorization, `Bearer ${token}`)) return true
  const direct = !request.headers['x-forwarded-for'] && !request.headers.forwarded
  return direct && LOOPBACK.has(request.socket.remoteAddress ?? '')
}

function isSameText(given: string, expected: string): boolean {
  const [one, two] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === two.length && timingSafeEqual(one, two)
}
