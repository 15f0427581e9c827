import { sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'

/**
 * The time of the next attempt: after a tenth of the time since the start, at least `minSeconds` and at most an
 * hour.
 */
export function nextTryAt(since: AnyPgColumn, now: Date, minSeconds: number) {
  const nowSql = sql`${now.toISOString()}::timestamptz`
  return sql`${nowSql} + least(interval '1 hour', greatest(${minSeconds} * interval '1 second', (${nowSql} - ${since}) / 10))`
}
