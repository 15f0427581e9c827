import type pg from 'pg'

/*
 * Logs every row that a call writes, and undoes the writes. Triggers on all tables log in the same transaction, so
 * that rolled-back writes are not logged. A refused request that stored something is detected immediately, and an
 * accepted one is undone before the next.
 */

export interface Written {
  table: string
  operation: 'INSERT' | 'UPDATE' | 'DELETE'
  /** The row after the write, or before it was deleted. */
  row: Record<string, unknown>
}

export interface WriteLog {
  /** Returns and clears the log. */
  take(): Promise<Written[]>
  /** Restores these tables to their state when the log was created. */
  undo(tables: Iterable<string>): Promise<void>
}

const OUR_SCHEMAS = ['public', 'graphile_worker']

interface Table {
  name: string
  /** Without generated columns. */
  columns: string
}

export async function createWriteLog(sql: pg.Pool): Promise<WriteLog> {
  const { rows: tables } = await sql.query<Table>(
    `select format('%I.%I', table_schema, table_name) as name,
       string_agg(quote_ident(column_name), ', ' order by ordinal_position) as columns
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema = any($1) and table_type = 'BASE TABLE' and is_generated = 'NEVER'
     group by 1`,
    [OUR_SCHEMAS],
  )
  await sql.query(
    `create schema fuzz;
     create table fuzz.writes (id bigint generated always as identity, place text, operation text, wrote jsonb);
     create function fuzz.log_write() returns trigger language plpgsql as $$
       begin
         insert into fuzz.writes (place, operation, wrote) values (
           format('%I.%I', tg_table_schema, tg_table_name), tg_op, to_jsonb(coalesce(new, old)));
         return null;
       end $$`,
  )
  for (const [place, { name, columns }] of tables.entries()) {
    await sql.query(
      `create table fuzz.original_${place} as select ${columns} from ${name};
       create trigger fuzz_log_write after insert or update or delete on ${name}
         for each row execute function fuzz.log_write()`,
    )
  }
  const undoStatements = new Map(
    tables.map(({ name, columns }, place) => [
      name,
      `delete from ${name}; insert into ${name} (${columns}) overriding system value select ${columns} from fuzz.original_${place}`,
    ]),
  )

  return {
    async take() {
      const { rows } = await sql.query(
        `with taken as (delete from fuzz.writes returning *)
         select place as table, operation, wrote as row from taken order by id`,
      )
      return rows
    },
    async undo(touched) {
      const statements = [...new Set(touched)].map((table) => undoStatements.get(table))
      // This role disables triggers and foreign keys, which are not needed because the restored rows are consistent.
      await sql.query(`begin; set local session_replication_role = replica; ${statements.join('; ')}; commit`)
    },
  }
}
