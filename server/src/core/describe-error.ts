import { isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { DrizzleQueryError } from 'drizzle-orm/errors'
import pg from 'pg'

/** The log's description of an error. */
interface DescribedError {
  type: string
  message: string
  code?: string
  /** The text of a failed query, with placeholders instead of values. */
  query?: string
  table?: string
  constraint?: string
  stack?: string
  cause?: DescribedError
  errors?: DescribedError[]
}

const CAUSES_MAX = 5

/**
 * Describes an error by known fields only, because libraries attach anything to their errors. A failed query has
 * its parameters, including session ids, and PostgreSQL's error has the refused row.
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

/** PostgreSQL quotes values that it cannot parse: `invalid input syntax for type uuid: "…"`. */
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
const IPV4 = /\b(?:\d{1,3}\.){3}\d{1,3}\b/g
const MAYBE_IPV6 = /[\da-f:]*:[\da-f:]+/gi
/** Query strings in the messages of other programs, which may contain keys. */
const QUERY_STRING = /\?[^\s"')]*=[^\s"')]*/g

/** The addresses of this machine, which the log may contain in full. */
const ownAddresses = new Set(
  Object.values(networkInterfaces()).flatMap((addresses) => addresses?.map(({ address }) => address) ?? []),
)

/** Masks email addresses, the end of other machines' IP addresses, and query strings. */
export function maskText(text: string): string {
  return text
    .replace(EMAIL, '[email]')
    .replace(QUERY_STRING, '?[query]')
    .replace(IPV4, (ip) => (ownAddresses.has(ip) ? ip : ip.replace(/\d+$/, 'x')))
    .replace(MAYBE_IPV6, (candidate) =>
      isIPv6(candidate) && !ownAddresses.has(candidate) ? '[ip]' : candidate,
    )
}
