import type { FastifyInstance } from 'fastify'
import { MONITORING_PATHS } from './monitoring-paths.ts'

/**
 * Warns once if TRUST_PROXY is set but the proxy does not forward visitors' addresses. All visitors would then
 * share the proxy's address and its rate limits.
 */
export function warnWithoutForwardedFor(app: FastifyInstance, proxies: number): void {
  if (proxies === 0) return
  let warned = false
  app.addHook('onRequest', (request, _reply, done) => {
    if (!warned && request.headers['x-forwarded-for'] === undefined && !MONITORING_PATHS.has(request.url)) {
      warned = true
      app.log.warn(
        'TRUST_PROXY is set, but a request arrived without X-Forwarded-For. Rate limits treat all such visitors as one. Let the proxy set this header.',
      )
    }
    done()
  })
}
