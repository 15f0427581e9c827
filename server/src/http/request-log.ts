import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { REQUEST_ID_HEADER } from '../core/request-id.ts'
import { type RunningTrace, runningTrace } from '../core/tracing.ts'
import { MONITORING_PATHS } from './monitoring-paths.ts'

/** Logs one line for the request when it ends, and tells the client its id (ADR 48). */
export function logRequest(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const startedAt = performance.now()
  // The end of the request is not a part of its trace.
  const trace = runningTrace()
  reply.header(REQUEST_ID_HEADER, request.id)
  reply.raw.once('close', () => {
    // The client may have gone away before the response was complete.
    const aborted = !reply.raw.writableFinished
    writeLine(request, reply, performance.now() - startedAt, { aborted, ...trace })
  })
  return reply
}

/** Logs the pattern of the route instead of the URL, which may contain tokens and names. */
function writeLine(
  request: FastifyRequest,
  reply: FastifyReply,
  ms: number,
  { aborted = false, ...trace }: { aborted?: boolean } & RunningTrace = {},
): void {
  const route = request.routeOptions.url ?? 'none'
  request.log[MONITORING_PATHS.has(route) ? 'debug' : 'info'](
    {
      method: request.method,
      route,
      status: reply.raw.statusCode,
      ms: Math.round(ms * 10) / 10,
      ...(aborted && { aborted }),
      ...trace,
    },
    'request',
  )
}

/**
 * Returns the response for a stream that may stay open for hours. Everything that waits for the end of the request
 * is removed, because it would keep the request and the reply in memory as long as the stream is open (ADR 23). So
 * the request is logged now. The caller closes the socket after the response, which Node no longer does.
 */
export function detachResponse(request: FastifyRequest, reply: FastifyReply): ServerResponse {
  reply.hijack()
  for (const event of ['finish', 'close', 'error']) reply.raw.removeAllListeners(event)
  reply.raw.setHeader(REQUEST_ID_HEADER, request.id)
  writeLine(request, reply, reply.elapsedTime)
  return reply.raw
}
