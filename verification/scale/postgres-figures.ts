import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'

/** Statistics of a PostgreSQL on this machine. */
export interface Figures {
  /** Transactions that wrote something. */
  writes: number
  walBytes: number
  cpuMs: number
  /** By table of the product, with its indexes. */
  tableBytes: Map<string, number>
}

const FIGURES_SQL = `
  select pg_snapshot_xmax(pg_current_snapshot())::text::float8 as writes,
    (pg_current_wal_lsn() - '0/0')::float8 as "walBytes",
    split_part(pg_read_file('postmaster.pid'), e'\\n', 1)::int as postmaster`

/** Leaves out the sandbox's tables, which a deployment with Stripe does not have. */
const TABLES_SQL = `
  select relname as name, pg_total_relation_size(oid)::float8 as bytes from pg_class
  where relkind = 'r' and relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)`

export async function readFigures(sql: pg.Pool): Promise<Figures> {
  const { rows } = await sql.query<{ writes: number; walBytes: number; postmaster: number }>(FIGURES_SQL)
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

/** PostgreSQL reads its settings again and writes its log a moment later. */
const LOG_DELAY_MS = 1_000

/** Counts the transactions of each application while `work` runs, with PostgreSQL's log of all statements. */
export async function countTransactions(
  sql: pg.Pool,
  logFile: string,
  work: () => Promise<unknown>,
): Promise<Map<string, number>> {
  await changeLogging(sql, ["set log_line_prefix = '@%v|%a|'", "set log_statement = 'all'"])
  const { length } = await readFile(logFile, 'utf8')
  await work()
  await changeLogging(sql, ['reset log_statement', 'reset log_line_prefix'])
  const logged = (await readFile(logFile, 'utf8')).slice(length)
  const transactions = new Set(logged.match(/^@\d+\/\d+\|[^|]+\|(?=LOG: )/gm))
  const counts = new Map<string, number>()
  for (const transaction of transactions) {
    const [, application = ''] = transaction.split('|')
    counts.set(application, (counts.get(application) ?? 0) + 1)
  }
  return counts
}

async function changeLogging(sql: pg.Pool, changes: string[]): Promise<void> {
  for (const change of changes) await sql.query(`alter system ${change}`)
  await sql.query('select pg_reload_conf()')
  await wait(LOG_DELAY_MS)
}
