import type { FastifyRequest } from 'fastify'
import { ApiError } from '../http/api-error.ts'

/**
 * Refuses forms that a browser sends from another site (CSRF). Browsers send Sec-Fetch-Site, older ones only
 * Origin. A client that sends neither is not a browser.
 */
export function rejectCrossSite(request: FastifyRequest, publicUrl: string): void {
  const { origin, host } = request.headers
  const site = request.headers['sec-fetch-site']
  if (site === undefined && origin === undefined) return
  if (site === 'same-origin' || site === 'none') return
  if (site === undefined && origin !== undefined && isOwnOrigin(origin, host, publicUrl)) return
  throw new ApiError(403, { type: 'invalid_request_error', message: 'This form was sent from another site.' })
}

function isOwnOrigin(origin: string, host: string | undefined, publicUrl: string): boolean {
  if (!URL.canParse(origin)) return false
  return origin === new URL(publicUrl).origin || new URL(origin).host === host
}
