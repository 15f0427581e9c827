import { type SQL, sql } from 'drizzle-orm'
import type { Db } from './database.ts'

/**
 * For statements that run very often: builds the SQL once per pool instead of on each call. Give the statement a name,
 * so that PostgreSQL parses it once per connection. A transaction builds its own.
 */
export function prepareOnce<Statement>(build: (db: Db) => Statement): (db: Db) => Statement {
  const built = new WeakMap<Db, Statement>()
  return (db) => {
    const statement = built.get(db) ?? build(db)
    built.set(db, statement)
    return statement
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
