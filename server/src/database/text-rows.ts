import type { Timestamp } from '@sought/contract/fields'
import pg from 'pg'

/*
 * For queries so frequent that the driver's parsing of rows matters. Every column is returned as PostgreSQL's text,
 * and the caller parses only what it needs.
 */

export const asText: pg.CustomTypesConfig = { getTypeParser: () => (text: string) => text }

const parseTimestamp: (text: string) => Date = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ)

/** Converts PostgreSQL's timestamp text to the contract's format. In UTC, the usual case, this needs no Date. */
export function timestampOf(text: string): Timestamp {
  const isUtc = text.charAt(10) === ' ' && text.endsWith('+00')
  if (!isUtc) return parseTimestamp(text).toISOString() as Timestamp
  const milliseconds = text.slice(20, -3).padEnd(3, '0').slice(0, 3)
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z` as Timestamp
}
