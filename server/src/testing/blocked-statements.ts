import type pg from 'pg'
import { expect } from 'vitest'
import { eventually } from './eventually.ts'

const BLOCKED = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"

/** Waits until this many statements are blocked by a lock. */
export async function waitUntilBlocked(sql: pg.Pool, statements = 1): Promise<void> {
  await eventually(async () => expect((await sql.query(BLOCKED)).rowCount).toBe(statements))
}

/** Runs `act` while another transaction has an uncommitted change. It must wait for the commit and see the change. */
export async function actDuringChange<Result>(
  sql: pg.Pool,
  [statement, ...values]: [statement: string, ...values: unknown[]],
  act: () => Promise<Result>,
): Promise<Result> {
  const other = await sql.connect()
  try {
    await other.query('begin')
    await other.query(statement, values)
    const acting = act()
    await waitUntilBlocked(sql)
    await other.query('commit')
    return await acting
  } finally {
    other.release(true)
  }
}
