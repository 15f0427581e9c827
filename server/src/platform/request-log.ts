import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const ID_BYTES = 12
export const REQUEST_ID_HEADER = 'x-request-id'

/** Random, so that ids of several processes differ. Not taken from the request: a visitor could put anything there. */
export const newRequestId = () => randomBytes(ID_BYTES).toString('base64url')

/** Logs one line for each request and tells the client its id (ADR 48). */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    logRequest(request, reply)
    done()
  })
}

/** The line has the pattern of the route and not the URL, which may contain tokens and names. */
export function logRequest(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const startedAt = performance.now()
  reply.header(REQUEST_ID_HEADER, request.id)
  let logged = false
  const log = () => {
    if (logged) return
    logged = true
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: reply.raw.statusCode,
        ms: Math.round((performance.now() - startedAt) * 10) / 10,
        // The client went away before the response was complete.
        ...(!reply.raw.writableFinished && { aborted: true }),
      },
      'request',
    )
  }
  reply.raw.once('finish', log)
  reply.raw.once('close', log)
  return reply
}
