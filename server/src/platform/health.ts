import { timingSafeEqual } from 'node:crypto'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { refuse } from './errors.ts'
import { createRequestTimes } from './request-times.ts'
import type { Services } from './services.ts'

/** API calls are refused until the server is ready. */
export interface Readiness {
  ready: boolean
}

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

  const sendMetrics = async (reply: FastifyReply) =>
    reply.type(metrics.contentType).send((await metrics.metrics()) + times.text())
  app.get('/metrics', async (request, reply) => {
    if (!hasToken(request, config.metricsToken)) throw refuse('not_found')
    return sendMetrics(reply)
  })
  if (config.metricsPort !== undefined) listenForMetrics(app, config.metricsPort, sendMetrics)
  return metrics
}

/**
 * A listener of its own, on this machine only. On the public port, a request from this machine proves nothing: a proxy
 * may forward it without saying so.
 */
function listenForMetrics(
  app: FastifyInstance,
  port: number,
  send: (reply: FastifyReply) => Promise<FastifyReply>,
): void {
  const listener = fastify()
  listener.get('/metrics', (_, reply) => send(reply))
  app.addHook('onReady', async () => {
    await listener.listen({ port, host: '127.0.0.1' })
  })
  app.addHook('onClose', () => listener.close())
}

function hasToken({ headers }: FastifyRequest, token: string | undefined): boolean {
  return token !== undefined && isSameText(headers.authorization ?? '', `Bearer ${token}`)
}

function isSameText(given: string, expected: string): boolean {
  const [one, two] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === two.length && timingSafeEqual(one, two)
}
