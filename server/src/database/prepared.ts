import { type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from './database.ts'

/**
 * For statements that run very often: builds the SQL once per pool and per connection instead of on each call. End
 * them with `.prepare('')`: named-statements.ts names them like all others.
 */
export function prepareOnce<Statement>(build: (db: Db) => Statement): (db: Db) => Statement {
  const built = new WeakMap<Db, Statement>()
  return (db) => {
    const owner = ownerOf(db)
    const statement = built.get(owner) ?? build(owner)
    built.set(owner, statement)
    return statement
  }
}

/** A transaction is short, so it uses the statements of its connection. */
const ownerOf = (db: Db | Tx): Db => ('connection' in db ? db.connection : db)

/**
 * Like `prepareOnce`, for a statement with optional filters: builds it once for each set of filters that are given.
 */
export function prepareByFilter<Name extends string, Statement>(
  build: (db: Db, has: (filter: Name) => boolean) => Statement,
): (db: Db, filters: { [Each in Name]?: unknown }) => Statement {
  const statements = new Map<string, (db: Db) => Statement>()
  const prepare = (given: string[]) => prepareOnce((db) => build(db, (filter) => given.includes(filter)))
  return (db, filters) => {
    const entries = Object.entries(filters).filter(([, value]) => value)
    const given = entries.map(([filter]) => filter).toSorted()
    const key = given.join()
    const statement = statements.get(key) ?? prepare(given)
    statements.set(key, statement)
    return statement(db)
  }
}

/**
 * A placeholder that PostgreSQL plans without its value. It plans a prepared statement on each call as long as it
 * expects a better plan from the values, and planning a search takes longer than running it.
 */
export const opaquePlaceholder = (name: string, type: string): SQL =>
  opaque(sql`${sql.placeholder(name)}`, type)

/** A value that PostgreSQL does not know when it plans the statement. */
export const opaqueValue = (value: unknown, type: string): SQL => opaque(sql`${sql.param(value)}`, type)

const opaque = (value: SQL, type: string) => sql`(select ${value}::${sql.raw(type)})`

/** For limits, because PostgreSQL would otherwise not choose a plan that fits all values. */
export const asLiteral = (limit: number): SQL => sql.raw(String(Math.trunc(limit)))
