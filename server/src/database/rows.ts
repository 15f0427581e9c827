import { and, eq, getTableColumns, isNull, type SQL, sql } from 'drizzle-orm'
import type { PgInsertValue, PgTable, PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { Db } from './database.ts'

/* Statements about rows of one table that are found by the values of their columns. */

type Row<Table extends PgTable> = Table['$inferSelect']

/** The values of the columns. Null means that the column is null. */
type Values<Table extends PgTable> = Partial<Row<Table>>

/** Some columns of a table, to select them under their own names. */
export function columns<Table extends PgTable, Name extends keyof Row<Table> & keyof Table & string>(
  table: Table,
  ...names: Name[]
): Pick<Table, Name> {
  return Object.fromEntries(names.map((name) => [name, table[name]])) as Pick<Table, Name>
}

/** Refuses values that are undefined, because a missing condition would match the rows of others. */
function matches<Table extends PgTable>(table: Table, values: Values<Table>): SQL | undefined {
  const all = getTableColumns(table)
  const conditions = Object.entries(values).map(([name, value]) => {
    const column = all[name]
    if (!column || value === undefined) throw new Error(`no value for the column ${name}`)
    return value === null ? isNull(column) : eq(column, value)
  })
  if (conditions.length === 0) throw new Error('a statement needs at least one condition')
  return and(...conditions)
}

/** Returns the given columns, or all. */
export async function findRow<Table extends PgTable, Name extends keyof Row<Table> & keyof Table & string>(
  db: Db,
  table: Table,
  values: Values<Table>,
  names?: Name[],
): Promise<Pick<Row<Table>, Name> | undefined> {
  const all = getTableColumns(table)
  const chosen = names ? columns(table, ...names) : all
  const query = db.select(chosen as typeof all).from(table as PgTable)
  const [found] = await query.where(matches(table, values))
  return found as Row<Table> | undefined
}

export async function hasRow<Table extends PgTable>(
  db: Db,
  table: Table,
  values: Values<Table>,
): Promise<boolean> {
  const query = db.select({ one: sql`1` }).from(table as PgTable)
  const found = await query.where(matches(table, values)).limit(1)
  return found.length > 0
}

export async function insertRow<Table extends PgTable>(
  tx: Db,
  table: Table,
  row: PgInsertValue<Table>,
): Promise<Row<Table>> {
  const [inserted] = (await tx.insert(table).values(row).returning()) as Row<Table>[]
  if (!inserted) throw new Error('insert returned no row')
  return inserted
}

/** Returns false if there is no such row. */
export async function updateRows<Table extends PgTable>(
  tx: Db,
  table: Table,
  values: Values<Table>,
  change: PgUpdateSetSource<Table>,
): Promise<boolean> {
  const { rowCount } = await tx.update(table).set(change).where(matches(table, values))
  return rowCount !== 0
}

/** Returns false if there is no such row. */
export async function deleteRows<Table extends PgTable>(
  tx: Db,
  table: Table,
  values: Values<Table>,
): Promise<boolean> {
  const { rowCount } = await tx.delete(table).where(matches(table, values))
  return rowCount !== 0
}
