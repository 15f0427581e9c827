import type pg from 'pg'

/*
 * A pooler such as PgBouncer in transaction mode may run each transaction of a client on another connection.
 * Everything that belongs to a connection then fails or reaches other clients: settings, prepared statements,
 * LISTEN and session locks (ADR 72).
 */

const pooled = new WeakSet<object>()

/** Whether this prepared client is connected through a pooler. */
export const isPooled = (client: object): boolean => pooled.has(client)

type Client = pg.ClientBase & { processID?: number | null }

/** Settings by name. */
type Settings = Record<string, string>

/**
 * Applies settings to a new connection. Behind a pooler, every transaction applies them itself, and statements have
 * no names. Statements outside transactions then have only the client's time limit (silent-connections.ts).
 */
export async function prepareClient(client: Client, settings: Settings, timeoutMs = 0): Promise<void> {
  const text = `
    select ${IS_DIRECT} as direct,
      (select count(set_config(name, value, false)) from jsonb_each_text($2) setting (name, value) where ${IS_DIRECT})`
  const values = [client.processID ?? null, JSON.stringify(settings)]
  // The driver's types lack the time limit.
  const query = { text, values, ...(timeoutMs > 0 && { query_timeout: timeoutMs }) }
  const { rows } = await client.query<{ direct: boolean }>(query)
  if (!rows[0]?.direct) adaptToPooler(client, settings)
}

/** A pooler invents the process id that it sends to the client. */
const IS_DIRECT = 'coalesce(pg_backend_pid() = $1::integer, false)'

/** Whether an unprepared client is connected to PostgreSQL directly. */
export async function isDirect(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ direct: boolean }>(`select ${IS_DIRECT} as direct`, [
    client.processID,
  ])
  return rows[0]?.direct ?? false
}

type RunQuery = (query: string | pg.QueryConfig, ...others: unknown[]) => unknown

function adaptToPooler(client: Client, settings: Settings): void {
  pooled.add(client)
  const setLocally = Object.entries(settings)
    .map(([name, value]) => `; set local ${name} = ${client.escapeLiteral(value)}`)
    .join('')
  const query = client.query.bind(client) as RunQuery
  const adapted: RunQuery = (given, ...others) => {
    const { name: _, ...statement } = typeof given === 'string' ? { text: given } : given
    const text = /^begin\b[^;]*$/i.test(statement.text) ? statement.text + setLocally : statement.text
    return query({ ...statement, text }, ...others)
  }
  client.query = adapted as Client['query']
}
