import type { FastifyRequest } from 'fastify'
import { refuse } from '../core/errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For calls that are authorised by a token in the request instead of the cookie. */
    allowCrossSite?: boolean
  }
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * CSRF protection: refuses requests that another site makes a visitor's browser send. Browsers send Sec-Fetch-Site,
 * older ones Origin. A client that sends neither is not a browser, so no other site can make it send its cookie.
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
