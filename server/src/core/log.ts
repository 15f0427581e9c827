import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino'
import { describeError, maskText } from './describe-error.ts'
import { runningTrace } from './tracing.ts'

interface LogOptions {
  level: string
  /** Readable lines for development instead of JSON. */
  pretty?: boolean
  destination?: DestinationStream
}

/**
 * The server's log. It never contains parameters of requests or queries, cookies, tokens, email addresses or full IP
 * addresses of others. All errors and messages pass through this filter, no matter which code logs them (ADR 48).
 */
export function createLog({ level, pretty, destination }: LogOptions): Logger {
  const options: LoggerOptions = {
    level,
    // A copy, because pino adds the fields of the line to it.
    mixin: () => ({ ...runningTrace() }),
    serializers: { err: describeError, error: describeError, req: () => undefined, res: () => undefined },
    hooks: {
      logMethod(args, method) {
        const masked = args.map((arg) => (typeof arg === 'string' ? maskText(arg) : arg))
        method.apply(this, masked as Parameters<typeof method>)
      },
    },
    ...(pretty && { transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname' } } }),
  }
  return destination ? pino(options, destination) : pino(options)
}
