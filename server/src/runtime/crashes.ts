import type { FastifyBaseLogger } from 'fastify'
import { isUnavailable } from '../database/database.ts'

/**
 * Logs unhandled errors and stops the process, because its state is unknown. Node itself would print every property
 * of the error, such as the parameters of a failed query.
 */
export function stopOnCrash(log: FastifyBaseLogger, stop: () => void): void {
  const { onError, onRejection } = createCrashHandlers(log, stop)
  process.on('uncaughtException', onError)
  process.on('unhandledRejection', onRejection)
}

export function createCrashHandlers(log: FastifyBaseLogger, stop: () => void) {
  const onError = (error: unknown) => {
    log.fatal({ err: error }, 'unhandled error, the server stops')
    stop()
  }
  return {
    onError,
    /**
     * A query that was abandoned and then lost its connection is harmless. Some libraries do not handle this
     * rejection.
     */
    onRejection(error: unknown) {
      if (isUnavailable(error)) log.error({ err: error }, 'unhandled loss of a database connection')
      else onError(error)
    },
  }
}
