import type { NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import { drizzle } from 'drizzle-orm/node-postgres'
import type { PgDatabase } from 'drizzle-orm/pg-core'
import pg from 'pg'
import type { Clock } from './clock.ts'
import * as schema from './schema.ts'

/** Something to query with: the pool, or a transaction. */
export type Db = PgDatabase<NodePgQueryResultHKT, typeof schema>

/** The pool itself, with the driver below it for the few statements that are asked too often to be written each time. */
export type PooledDb = Db & { readonly $client: pg.Pool }

/** A transaction, and the one moment at which everything in it happens. */
export type Tx = Db & { readonly now: Date }

export interface Database {
  pool: pg.Pool
  /** For reading outside a transaction. */
  read: PooledDb
  transact<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

const POOL_SIZE = 20
const CONNECT_TIMEOUT_MS = 3_000
const STATEMENT_TIMEOUT_MS = 15_000

export function openDatabase(
  url: string,
  clock: Clock,
  onError: (error: Error) => void,
  statementTimeoutMs = STATEMENT_TIMEOUT_MS,
): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    application_name: 'sought',
  })
  // A connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  const read = drizzle(pool, { schema, casing: 'snake_case' })
  const made = new WeakMap<pg.PoolClient, Db>()
  const on = (client: pg.PoolClient) => {
    const own = made.get(client) ?? drizzle(client, { schema, casing: 'snake_case' })
    made.set(client, own)
    return own
  }

  return {
    pool,
    read,
    // The connection is taken and given back here: Drizzle keeps one whose `begin` fails, and with it a place in the pool.
    async transact(work) {
      const client = await pool.connect()
      try {
        return await on(client).transaction((tx) => work(Object.assign(tx, { now: clock() })))
      } finally {
        client.release()
      }
    },
    close: () => pool.end(),
  }
}

/** SQLSTATE classes that say the database cannot be used now: connection lost, no room, being stopped. */
const UNAVAILABLE_STATES = /^(08|53|57P0)/
const UNAVAILABLE_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EPIPE', 'ETIMEDOUT', 'ENOENT'])
const UNAVAILABLE_WORDS = /timeout exceeded when trying to connect|Connection terminated|not queryable/i

/** Whether an error means that the database is out of reach, rather than that a statement was wrong. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return (
    UNAVAILABLE_STATES.test(code) ||
    UNAVAILABLE_CODES.has(code) ||
    UNAVAILABLE_WORDS.test(error.message) ||
    isUnavailable(error.cause) ||
    (error instanceof AggregateError && error.errors.some(isUnavailable))
  )
}

/** Whether a write was turned away by the named unique index or constraint. */
export function violates(error: unknown, constraint: string): boolean {
  if (!(error instanceof Error)) return false
  if ('constraint' in error && error.constraint === constraint) return true
  return violates(error.cause, constraint)
}
