import pg from 'pg'

/** Runs queries at one fixed time, `now`. */
export interface Tx {
  now: Date
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
}

export interface Database {
  /** Runs queries without a transaction. */
  read(): Tx
  transact<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

export type Clock = () => Date

const POOL_SIZE = 8
const CONNECT_TIMEOUT_MS = 5_000
const STATEMENT_TIMEOUT_MS = 15_000
/**
 * How much later than PostgreSQL the client abandons a statement. PostgreSQL's own limit applies only in
 * transactions.
 */
const GRACE_MS = 5_000
/** Longer than the webhook timeout, because a delivery keeps its transaction open until the response. */
const IDLE_IN_TRANSACTION_MS = 60_000

export interface DatabaseLimits {
  connectTimeoutMs?: number
  statementTimeoutMs?: number
}

export function openDatabase(
  url: string,
  clock: Clock,
  onError: (error: Error) => void,
  { connectTimeoutMs = CONNECT_TIMEOUT_MS, statementTimeoutMs = STATEMENT_TIMEOUT_MS }: DatabaseLimits = {},
): Database {
  // Set in each transaction and not for the connection, because a pooler refuses such settings or shares them with
  // other clients.
  const begin = `begin;
    set local statement_timeout = ${statementTimeoutMs};
    set local idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`
  const pool = new pg.Pool({
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: statementTimeoutMs + GRACE_MS,
    application_name: 'sought sandbox',
  })
  // The pool replaces broken connections. Without a listener, the error would end the process.
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  return {
    read: () => queryAt(pool, clock()),
    transact: (work) => runInTransaction(pool, clock, begin, work),
    close: () => pool.end(),
  }
}

function queryAt(queryable: pg.Pool | pg.PoolClient, now: Date): Tx {
  return {
    now,
    query: async <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) =>
      (await queryable.query<Row>(text, values)).rows,
  }
}

async function runInTransaction<Result>(
  pool: pg.Pool,
  clock: Clock,
  begin: string,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  let usable = false
  try {
    await client.query(begin)
    const result = await work(queryAt(client, clock()))
    await client.query('commit')
    usable = true
    return result
  } catch (error) {
    usable = await client.query('rollback').then(
      () => true,
      () => false,
    )
    throw error
  } finally {
    // If even the rollback failed, the connection is broken and must be destroyed.
    client.release(!usable)
  }
}

export function firstRow<Row>(rows: Row[]): Row | undefined {
  return rows[0]
}
