import type { FastifyRequest } from 'fastify'
import { ApiError } from '../api-error.ts'

/**
 * Refuses a form that another site made a browser send. Browsers say so in Sec-Fetch-Site, and where they do
 * not, in Origin; a caller that sends neither is no browser.
 */
export function rejectCrossSite(request: FastifyRequest, publicUrl: string): void {
  const { origin, host } = request.headers
  const site = request.headers['sec-fetch-site']
  if (site === undefined && origin === undefined) return
  if (site === 'same-origin' || site === 'none') return
  if (site === undefined && origin !== undefined && isOwnOrigin(origin, host, publicUrl)) return
  throw new ApiError(403, { type: 'invalid_request_error', message: 'Another site sent this form.' })
}

function isOwnOrigin(origin: string, host: string | undefined, publicUrl: string): boolean {
  if (!URL.canParse(origin)) return false
  return origin === new URL(publicUrl).origin || new URL(origin).host === host
}
