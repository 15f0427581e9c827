import type pg from 'pg'

/*
 * PostgreSQL parses a named statement once per connection, and usually plans it only a few times. For most of our
 * statements, parsing and planning take longer than running them (ADR 35).
 */

/** Statements that run less often than this stay unnamed, for example those with long lists. */
const NAMED_FROM_USE = 3
/** Each connection keeps all named statements that it has run, so their number is limited. */
const MAX_NAMES = 1_000
const MAX_COUNTED = 5_000

const PREPARABLE = /^\s*(select|insert|update|delete|with)\b/i

type RunQuery = (query: string | pg.QueryConfig, values?: unknown, ...others: unknown[]) => unknown

/** Names the frequent statements of this client. Not for clients behind a pooler. */
export function nameStatements(client: pg.ClientBase, nameOf: (text: string) => string | undefined): void {
  const query = client.query.bind(client) as RunQuery
  const named: RunQuery = (given, values, ...others) => {
    const statement = typeof given === 'string' ? { text: given } : given
    const hasValues = Array.isArray(values) || Array.isArray(statement.values)
    if (!hasValues || statement.name) return query(given, values, ...others)
    return query({ ...statement, name: nameOf(statement.text) }, values, ...others)
  }
  client.query = named as pg.ClientBase['query']
}

/** Counts the statements of a pool and names those that run often. */
export function createStatementNames(): (text: string) => string | undefined {
  const uses = new Map<string, number>()
  const names = new Map<string, string>()
  return (text) => {
    const name = names.get(text)
    if (name || names.size === MAX_NAMES) return name
    const count = (uses.get(text) ?? 0) + 1
    if (count < NAMED_FROM_USE) {
      if (uses.has(text) || uses.size < MAX_COUNTED) uses.set(text, count)
      return
    }
    uses.delete(text)
    if (!PREPARABLE.test(text)) return
    names.set(text, `s${names.size}`)
    return names.get(text)
  }
}
