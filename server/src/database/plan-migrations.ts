import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'

/*
 * What pending migrations would do to a running market, for `npm run migrate -- --dry-run`. Nothing is executed. The
 * statements are those that lint-migration.ts allows.
 */

export interface PlannedMigration {
  name: string
  steps: PlannedStep[]
}

export interface PlannedStep {
  /** The beginning of the statement. */
  statement: string
  /** The table that is locked. Null if no existing table is. */
  table: string | null
  /** PostgreSQL's name of the lock. */
  lock: string | null
  /** Who waits meanwhile. */
  blocks: 'nobody' | 'writes' | 'everybody'
  /** The size of the table, if all of it is read. */
  readBytes: number
  seconds: number
}

/** Cautious rates, in bytes per second: of a disk that also serves the market. */
const READ_RATE = 50_000_000
const INDEX_RATE = 10_000_000
/** A statement that reads no rows. */
const INSTANT_SECONDS = 0.1
const SHOWN_LENGTH = 100

type Effect = Pick<PlannedStep, 'lock' | 'blocks'> & { rate?: number }

/** Of statements about a table, in this order: the first that matches applies. */
const EFFECTS: [pattern: RegExp, effect: Effect][] = [
  [
    /^create (?:unique )?index concurrently (?:if not exists )?\S+ on (?<table>\S+)/,
    { lock: 'SHARE UPDATE EXCLUSIVE', blocks: 'nobody', rate: INDEX_RATE },
  ],
  [
    /^create (?:unique )?index (?:if not exists )?\S+ on (?<table>\S+)/,
    { lock: 'SHARE', blocks: 'writes', rate: INDEX_RATE },
  ],
  [/^drop index concurrently/, { lock: 'SHARE UPDATE EXCLUSIVE', blocks: 'nobody' }],
  [
    /^alter table (?<table>\S+).* validate constraint/,
    { lock: 'SHARE UPDATE EXCLUSIVE', blocks: 'nobody', rate: READ_RATE },
  ],
  [
    /^alter table (?<table>\S+).* add constraint \S+ foreign key/,
    { lock: 'SHARE ROW EXCLUSIVE', blocks: 'writes' },
  ],
  [/^alter table (?<table>\S+)/, { lock: 'ACCESS EXCLUSIVE', blocks: 'everybody' }],
  [/^create (?:constraint )?trigger .*? on (?<table>\S+)/, { lock: 'SHARE ROW EXCLUSIVE', blocks: 'writes' }],
  [/^drop trigger .*? on (?<table>\S+)/, { lock: 'ACCESS EXCLUSIVE', blocks: 'everybody' }],
  [/^drop table (?:if exists )?(?<table>\S+)/, { lock: 'ACCESS EXCLUSIVE', blocks: 'everybody' }],
  [
    /^(?:insert into|update|delete from) (?<table>\S+)/,
    { lock: 'ROW EXCLUSIVE', blocks: 'nobody', rate: READ_RATE },
  ],
]
const HARMLESS: Effect = { lock: null, blocks: 'nobody' }

/** The migrations that the database lacks, in their order. */
export async function planMigrations(client: pg.Client, folder: string): Promise<PlannedMigration[]> {
  const applied = await findApplied(client)
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const pending = names.filter((name) => !applied.has(Number.parseInt(name, 10)))
  const planned: PlannedMigration[] = []
  const created = new Set<string>()
  for (const name of pending) {
    const statements = splitStatements(await readFile(join(folder, name), 'utf8'))
    for (const statement of statements) {
      const [, table] = /^create table (?:if not exists )?(\S+)/.exec(statement) ?? []
      if (table) created.add(table)
    }
    const steps: PlannedStep[] = []
    for (const statement of statements) steps.push(await planStep(client, statement, created))
    planned.push({ name, steps })
  }
  return planned
}

async function findApplied(client: pg.Client): Promise<Set<number>> {
  const { rows: found } = await client.query(
    "select to_regclass('drizzle.__drizzle_migrations') is not null as exists",
  )
  if (!found[0].exists) return new Set()
  const { rows } = await client.query('select created_at from drizzle.__drizzle_migrations')
  return new Set(rows.map(({ created_at }) => Number(created_at)))
}

async function planStep(client: pg.Client, statement: string, created: Set<string>): Promise<PlannedStep> {
  const { table, effect } = findEffect(statement, created)
  const readBytes = table && effect.rate ? await sizeOf(client, table) : 0
  const seconds = Math.max(INSTANT_SECONDS, readBytes / (effect.rate ?? READ_RATE))
  const isShort = statement.length <= SHOWN_LENGTH
  return {
    statement: isShort ? statement : `${statement.slice(0, SHOWN_LENGTH - 1)}…`,
    table,
    lock: effect.lock,
    blocks: effect.blocks,
    readBytes,
    seconds,
  }
}

/** Nobody uses a table that the migration itself creates. */
function findEffect(statement: string, created: Set<string>): { table: string | null; effect: Effect } {
  for (const [pattern, effect] of EFFECTS) {
    const match = pattern.exec(statement)
    if (!match) continue
    const table = match.groups?.table?.replace(/[("].*$/, '') ?? null
    return table !== null && created.has(table) ? { table: null, effect: HARMLESS } : { table, effect }
  }
  return { table: null, effect: HARMLESS }
}

async function sizeOf(client: pg.Client, table: string): Promise<number> {
  const { rows } = await client.query<{ bytes: number | null }>(
    'select pg_table_size(to_regclass($1))::float8 as bytes',
    [table],
  )
  return rows[0]?.bytes ?? 0
}

/** One statement on each line, without comments. Function bodies are between `$$`. */
function splitStatements(sql: string): string[] {
  const parts = sql.split('$$').map((part, index) => (index % 2 === 0 ? part.replace(/--.*$/gm, '') : '…'))
  return parts
    .join('$$')
    .split(';')
    .map((statement) => statement.replace(/\s+/g, ' ').trim())
    .filter(Boolean)
}
