import type { Timestamp } from '@sought/contract/fields'
import pg from 'pg'

/*
 * For a statement that is asked so often that the driver's reading of its rows counts. Every column comes as the text
 * that PostgreSQL writes, and the caller, who knows what each one is, reads it once.
 */

export const asText: pg.CustomTypesConfig = { getTypeParser: () => (text: string) => text }

const parseMoment: (text: string) => Date = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ)

/** PostgreSQL's text of a moment, as the contract writes it. In UTC, which is usual, no Date is needed for that. */
export function momentOf(text: string): Timestamp {
  const isUsual = text.charAt(10) === ' ' && text.endsWith('+00')
  if (!isUsual) return parseMoment(text).toISOString() as Timestamp
  const milliseconds = text.slice(20, -3).padEnd(3, '0').slice(0, 3)
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z` as Timestamp
}
