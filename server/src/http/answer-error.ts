import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type RefusalCode, refusals } from '@sought/contract/refusals'
import type { FastifyBaseLogger, FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { Refused, refusalOf, refuse } from '../core/errors.ts'
import { newRequestId, REQUEST_ID_HEADER } from '../core/request-id.ts'
import { isTimeout, isUnavailable } from '../database/database.ts'
import { StorageUnavailable, StorageUnwritable } from '../providers/files/file-storage.ts'

export const DATABASE_RETRY_SECONDS = 2
const STORAGE_RETRY_SECONDS = 10

/** The refusal code of an error. */
export const refusalCodeOf = (error: unknown): RefusalCode => asRefusal(error).code

/** Sends a refusal with its own message, and any other error as a 500 that does not reveal the cause. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refused = asRefusal(error)
  if (refused.code === 'internal') request.log.error({ err: error }, 'unexpected error')
  else if (error instanceof StorageUnwritable) request.log.error({ err: error }, error.message)
  else if (isTimeout(error)) request.log.error({ err: error }, 'a statement took too long')
  else if (refused !== error) request.log.info({ err: error }, refused.code)
  const { status, body } = refusalOf(refused)
  if (refused.retryAfterSeconds !== undefined) reply.header('retry-after', refused.retryAfterSeconds)
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(body)
}

function asRefusal(error: unknown): Refused {
  if (error instanceof Refused) return error
  if (error instanceof StorageUnwritable)
    return refuse('storage_unavailable', { retryAfterSeconds: STORAGE_RETRY_SECONDS })
  if (error instanceof StorageUnavailable)
    return refuse('unavailable', { retryAfterSeconds: STORAGE_RETRY_SECONDS })
  if (isUnavailable(error) || isTimeout(error))
    return refuse('unavailable', { retryAfterSeconds: DATABASE_RETRY_SECONDS })
  return refuse(frameworkRefusal(error))
}

/** Maps errors of Fastify and its plugins about unreadable requests and invalid URLs. */
function frameworkRefusal(error: unknown): RefusalCode {
  const { statusCode } = error as Partial<FastifyError>
  switch (statusCode) {
    case 400:
      return 'malformed'
    // An invalid file path, or a path parameter that is too long.
    case 403:
    case 414:
      return 'not_found'
    case 413:
      return 'too_large'
    case 406:
    case 415:
      return 'wrong_type'
    default:
      return 'internal'
  }
}

/** Answers input that is not valid HTTP or never ends. There is only a connection, no request. */
export function answerUnreadable(
  error: NodeJS.ErrnoException,
  connection: Socket,
  log: FastifyBaseLogger,
): void {
  if (error.code === 'ECONNRESET' || connection.destroyed) return
  const code = error.code === 'HPE_HEADER_OVERFLOW' ? 'too_large' : 'malformed'
  const { status, message } = refusals[code]
  const body = JSON.stringify({ code, message })
  const reqId = newRequestId()
  log.info({ reqId, route: 'none', status }, 'unreadable request')
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'connection: close',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `${REQUEST_ID_HEADER}: ${reqId}`,
  ]
  if (connection.writable) connection.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  connection.destroy(error)
}
