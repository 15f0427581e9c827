import { isIPv6 } from 'node:net'
import { DrizzleQueryError } from 'drizzle-orm/errors'
import pg from 'pg'

/** What the log says about an error. */
interface DescribedError {
  type: string
  message: string
  code?: string
  /** Of a failed query: its text, with placeholders instead of values. */
  query?: string
  table?: string
  constraint?: string
  stack?: string
  cause?: DescribedError
  errors?: DescribedError[]
}

const CAUSES_MAX = 5

/**
 * Describes an error by fields that we know, because libraries attach anything to their errors: a failed query its
 * parameters, among them session ids, and PostgreSQL the row that it refused.
 */
export function describeError(error: unknown, depth = 0): DescribedError | undefined {
  if (!(error instanceof Error)) return { type: typeof error, message: maskText(String(error)) }
  if (depth > CAUSES_MAX) return undefined
  const cause = error.cause === undefined ? undefined : describeError(error.cause, depth + 1)
  return {
    type: error.constructor.name,
    message: messageOf(error),
    ...('code' in error && { code: String(error.code) }),
    ...(error instanceof DrizzleQueryError && { query: error.query }),
    ...(error instanceof pg.DatabaseError && {
      ...(error.table && { table: error.table }),
      ...(error.constraint && { constraint: error.constraint }),
    }),
    ...(error.stack && { stack: framesOf(error.stack) }),
    ...(cause && { cause }),
    ...(error instanceof AggregateError && {
      errors: error.errors.map((one) => describeError(one, depth + 1)).filter((one) => one !== undefined),
    }),
  }
}

/** PostgreSQL quotes the value that it cannot read: `invalid input syntax for type uuid: "…"`. */
function messageOf(error: Error): string {
  if (error instanceof DrizzleQueryError) return 'Failed query'
  if (error instanceof pg.DatabaseError) return maskText(error.message.replace(/: ".*$/s, ''))
  return maskText(error.message)
}

/** The stack starts with the message, which may have several lines. */
function framesOf(stack: string): string {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n')
}

const EMAIL = /[^\s<>"'(),:;=]+@[^\s<>"'(),:;=]+\.[^\s<>"'(),:;=]+/g
const IPV4 = /\b(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}\b/g
const MAYBE_IPV6 = /[\da-f:]*:[\da-f:]+/gi
/** Of links and keys in the messages of other programs. */
const QUERY_STRING = /\?[^\s"')]*=[^\s"')]*/g

/** Masks email addresses, the end of IP addresses, and query strings. */
export function maskText(text: string): string {
  return text
    .replace(EMAIL, '[email]')
    .replace(QUERY_STRING, '?[query]')
    .replace(IPV4, '$1.x')
    .replace(MAYBE_IPV6, (candidate) => (isIPv6(candidate) ? '[ip]' : candidate))
}
