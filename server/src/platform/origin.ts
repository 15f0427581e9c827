import type { FastifyRequest } from 'fastify'
import { refuse } from './errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What another site sends is as good as what ours does: it carries its own proof, and no cookie counts. */
    allowCrossSite?: boolean
  }
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses what another site makes a visitor's browser send. Browsers say where a request comes from
 * in Sec-Fetch-Site, older ones in Origin; a caller that sends neither is no browser and holds no
 * cookie that it was not given on purpose.
 */
export function refuseCrossSite(request: FastifyRequest): void {
  if (SAFE_METHODS.has(request.method) || request.routeOptions.config?.allowCrossSite) return
  if (isCrossSite(request)) throw refuse('cross_site')
}

export function isCrossSite(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const { origin, host } = request.headers
  if (origin === undefined) return false
  return !URL.canParse(origin) || new URL(origin).host !== host
}
