import type { NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import { drizzle } from 'drizzle-orm/node-postgres'
import type { PgDatabase } from 'drizzle-orm/pg-core'
import pg from 'pg'
import type { Clock } from '../core/clock.ts'
import { NoAnswer } from '../core/in-time.ts'
import './bigint-parser.ts'
import { type Activity, type ActivityCounts, createActivityCounts } from './activity.ts'
import { createStatementNames, nameStatements } from './named-statements.ts'
import { isPooled, prepareClient } from './pooler.ts'
import { CONNECTION_LIMITS, closeWhenSilent, oldestStatementMs } from './silent-connections.ts'

/** The pool or a transaction. */
export type Db = PgDatabase<NodePgQueryResultHKT>

/** The pool, with access to the driver for the few statements where building the SQL on each call is too slow. */
export type PooledDb = Db & { readonly $client: pg.Pool }

/** A transaction. Everything in it uses the same time, `now`. */
export type Tx = Db & {
  readonly now: Date
  /** Activities to count at the commit. */
  readonly activities: Activity[]
  /** The connection that the transaction uses. */
  readonly connection: Db
}

export interface Database {
  pool: pg.Pool
  /** Connections for LISTEN that no pooler shares, if DATABASE_DIRECT_URL is set. */
  direct: pg.Pool
  /** A connection for health checks, which do not queue behind requests. */
  probe: pg.Pool
  /** For reading outside a transaction. */
  read: PooledDb
  /** The activities of this process's transactions. */
  activity: ActivityCounts
  /** For how long the oldest running statement has had no answer, apart from those of health checks. */
  oldestStatementMs(): number
  /** Whether that is longer than a statement of a working database takes. */
  isSilent(): boolean
  transact<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

const POOL_SIZE = 20
const CONNECT_TIMEOUT_MS = 3_000
const STATEMENT_TIMEOUT_MS = 15_000
/** The client gives up a statement this much later than PostgreSQL. */
const GRACE_MS = 5_000
/** Waiting for a lock ends earlier than other statements, so that it never looks like a silent connection. */
const LOCK_SHARE = 2 / 3
const SILENT_SHARE = 4 / 5

/** One connection for each worker. */
const DIRECT_POOL_SIZE = 4

interface Limits {
  /** The maximum number of connections. */
  size?: number
  connectTimeoutMs?: number
  /** 0 for no timeout. */
  statementTimeoutMs?: number
  /** When the client gives up a statement and closes the connection. */
  silenceMs?: number
}

type OnError = (error: Error) => void

export const drizzleOn = <Client extends pg.Pool | pg.PoolClient>(client: Client) =>
  drizzle(client, { casing: 'snake_case' })

export function openDatabase(
  url: string,
  clock: Clock,
  onError: OnError,
  { directUrl = url, ...limits }: Limits & { directUrl?: string | undefined } = {},
): Database {
  const pool = openPool(url, onError, limits)
  const direct =
    directUrl === url ? pool : openPool(directUrl, onError, { ...limits, size: DIRECT_POOL_SIZE })
  const probe = openPool(url, onError, { ...limits, size: 1 })
  const read = drizzleOn(pool)
  const activity = createActivityCounts()
  const drizzleOf = new WeakMap<pg.PoolClient, Db>()
  const useClient = (client: pg.PoolClient) => {
    const db = drizzleOf.get(client) ?? drizzleOn(client)
    drizzleOf.set(client, db)
    return db
  }

  const { statementTimeoutMs = STATEMENT_TIMEOUT_MS } = limits
  const silentMs = statementTimeoutMs === 0 ? Number.POSITIVE_INFINITY : statementTimeoutMs * SILENT_SHARE
  const oldestMs = () => oldestStatementMs([...new Set([pool, direct])])

  return {
    pool,
    direct,
    probe,
    read,
    activity,
    oldestStatementMs: oldestMs,
    isSilent: () => oldestMs() > silentMs,
    // We acquire and release the client ourselves: Drizzle never releases one whose `begin` fails.
    async transact(work) {
      const client = await pool.connect()
      let isLost = false
      try {
        const activities: Activity[] = []
        const connection = useClient(client)
        const result = await connection.transaction((tx) =>
          work(Object.assign(tx, { now: clock(), activities, connection })),
        )
        activity.add(activities)
        return result
      } catch (error) {
        // For example, a connection to a server that has become a replica.
        isLost = isUnavailable(error)
        throw error
      } finally {
        client.release(isLost)
      }
    },
    async close() {
      if (direct !== pool) await direct.end()
      await probe.end()
      await pool.end()
    },
  }
}

export function openPool(
  connectionString: string,
  onError: OnError,
  {
    size = POOL_SIZE,
    connectTimeoutMs = CONNECT_TIMEOUT_MS,
    statementTimeoutMs = STATEMENT_TIMEOUT_MS,
    silenceMs = statementTimeoutMs === 0 ? 0 : statementTimeoutMs + GRACE_MS,
  }: Limits = {},
): pg.Pool {
  const settings = {
    statement_timeout: String(statementTimeoutMs),
    lock_timeout: String(Math.round(statementTimeoutMs * LOCK_SHARE)),
    idle_in_transaction_session_timeout: String(statementTimeoutMs),
    // PostgreSQL would take longer to compile our statements than to run them.
    jit: 'off',
  }
  const statementNames = createStatementNames()
  const pool: pg.Pool = new pg.Pool({
    ...CONNECTION_LIMITS,
    connectionString,
    max: size,
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: 'sought',
    // Not set as startup parameters, because PgBouncer refuses them.
    onConnect: async (client) => {
      if (silenceMs > 0) closeWhenSilent(pool, client as pg.Client, silenceMs, onError)
      await prepareClient(client, settings, connectTimeoutMs)
      if (!isPooled(client)) nameStatements(client, statementNames)
    },
  })
  // The pool replaces broken connections. Without these listeners, the error event would end the process.
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  return pool
}

/**
 * SQLSTATE classes for a lost connection, insufficient resources and a shutdown, and for a server that became a
 * replica.
 */
const UNAVAILABLE_STATES = /^(08|53|57P0|25006)/
/** PgBouncer uses this SQLSTATE for all its errors. Waiting does not help with errors in its configuration. */
const POOLER_STATE = '08P01'
const MISCONFIGURED =
  /unsupported startup parameter|no such (database|user)|config error|authentication failed|wrong password|does not exist|pg_hba/
const UNAVAILABLE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
  'ENOENT',
])
const UNAVAILABLE_MESSAGES =
  /timeout exceeded when trying to connect|timeout expired|Query read timeout|Connection terminated|not queryable|cached plan must not change/i

/** Whether an error means that the database is unreachable, rather than that a statement failed. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof NoAnswer) return true
  const code = 'code' in error ? String(error.code) : ''
  if (code === POOLER_STATE && MISCONFIGURED.test(error.message)) return false
  return (
    UNAVAILABLE_STATES.test(code) ||
    UNAVAILABLE_CODES.has(code) ||
    UNAVAILABLE_MESSAGES.test(error.message) ||
    isUnavailable(error.cause) ||
    (error instanceof AggregateError && error.errors.some(isUnavailable))
  )
}

/** SQLSTATEs of a statement, a transaction or a wait for a lock that took too long. Nothing was stored. */
const TIMEOUT_STATES = new Set(['57014', '25P03', '55P03'])

/** Whether a statement timed out, for example a commit that waits for a replica. */
export function isTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return ('code' in error && TIMEOUT_STATES.has(String(error.code))) || isTimeout(error.cause)
}

/** Whether a write violated this unique index or constraint. */
export function violates(error: unknown, constraint: string): boolean {
  if (!(error instanceof Error)) return false
  if ('constraint' in error && error.constraint === constraint) return true
  return violates(error.cause, constraint)
}
