import { readdirSync, readFileSync } from 'node:fs'
import type pg from 'pg'

/** Statistics of a PostgreSQL on this machine. */
export interface Figures {
  transactions: number
  walBytes: number
  cpuMs: number
  /** By table of the product, with its indexes. */
  tableBytes: Map<string, number>
}

const FIGURES_SQL = `
  select xact_commit::float8 as transactions, (pg_current_wal_lsn() - '0/0')::float8 as "walBytes",
    split_part(pg_read_file('postmaster.pid'), e'\\n', 1)::int as postmaster
  from pg_stat_database where datname = current_database()`

/** Leaves out the sandbox's tables, which a deployment with Stripe does not have. */
const TABLES_SQL = `
  select relname as name, pg_total_relation_size(oid)::float8 as bytes from pg_class
  where relkind = 'r' and relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)`

export async function readFigures(sql: pg.Pool): Promise<Figures> {
  const { rows } = await sql.query<{ transactions: number; walBytes: number; postmaster: number }>(
    FIGURES_SQL,
  )
  const [row] = rows
  if (!row) throw new Error('PostgreSQL has no figures')
  const { rows: tables } = await sql.query<{ name: string; bytes: number }>(TABLES_SQL)
  return {
    ...row,
    cpuMs: cpuMsOf(row.postmaster),
    tableBytes: new Map(tables.map(({ name, bytes }) => [name, bytes])),
  }
}

/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10

/** The processor time of the server: of its running and ended processes. */
function cpuMsOf(postmaster: number): number {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => statOf(Number(pid)))
  const own = all.filter((stat) => stat?.pid === postmaster || stat?.parent === postmaster)
  const ended = all.find((stat) => stat?.pid === postmaster)?.endedTicks ?? 0
  return (own.reduce((sum, stat) => sum + (stat?.ticks ?? 0), 0) + ended) * TICK_MS
}

function statOf(pid: number) {
  try {
    // The name of the program, in brackets, may contain spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ').map(Number) ?? []
    const at = (index: number) => fields[index] ?? 0
    return { pid, parent: at(1), ticks: at(11) + at(12), endedTicks: at(13) + at(14) }
  } catch {
    return undefined
  }
}
