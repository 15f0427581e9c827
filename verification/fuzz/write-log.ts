import type pg from 'pg'

/*
 * What a call has written, row by row, and a way back. Triggers on every table note each row that was written, in
 * the transaction that wrote it: what was rolled back was never noted. So a refusal that stored something is seen
 * at once and by the name of the table, and a try that was let in is undone before the next one.
 */

export interface Written {
  table: string
  operation: 'INSERT' | 'UPDATE' | 'DELETE'
  /** The row as it is after the write, or was before it was deleted. */
  row: Record<string, unknown>
}

export interface WriteLog {
  /** What was written since this was last asked, in its order. */
  take(): Promise<Written[]>
  /** Makes these tables what they were when the log was begun. */
  undo(tables: Iterable<string>): Promise<void>
}

const OUR_SCHEMAS = ['public', 'graphile_worker']

interface Table {
  name: string
  /** Without those that the database works out by itself. */
  columns: string
}

export async function keepWriteLog(sql: pg.Pool): Promise<WriteLog> {
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
     create function fuzz.note() returns trigger language plpgsql as $$
       begin
         insert into fuzz.writes (place, operation, wrote) values (
           format('%I.%I', tg_table_schema, tg_table_name), tg_op, to_jsonb(coalesce(new, old)));
         return null;
       end $$`,
  )
  for (const [place, { name, columns }] of tables.entries()) {
    await sql.query(
      `create table fuzz.kept_${place} as select ${columns} from ${name};
       create trigger fuzz_note after insert or update or delete on ${name}
         for each row execute function fuzz.note()`,
    )
  }
  const undoing = new Map(
    tables.map(({ name, columns }, place) => [
      name,
      `delete from ${name}; insert into ${name} (${columns}) overriding system value select ${columns} from fuzz.kept_${place}`,
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
      const statements = [...new Set(touched)].map((table) => undoing.get(table))
      // In this role no trigger runs, and no reference is looked at: the rows were right together once.
      await sql.query(`begin; set local session_replication_role = replica; ${statements.join('; ')}; commit`)
    },
  }
}
