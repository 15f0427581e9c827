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
export function opaquePlaceholder(name: string, type: string): SQL {
  return sql`(select ${sql.placeholder(name)}::${sql.raw(type)})`
}
