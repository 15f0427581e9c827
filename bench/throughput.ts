import { execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { fillPath } from '@sought/contract/call'
import { CATEGORIES } from '@sought/contract/constants'
import { getPublicProfile } from '@sought/contract/people'
import { getWantedItem, listWantedItems } from '@sought/contract/requests'
import type pg from 'pg'
import type { Database, PooledDb } from '../server/src/database/database.ts'
import { readPerson } from '../server/src/features/board/profiles/queries.ts'
import { findOpenItems, readItem } from '../server/src/features/board/requests/queries.ts'
import type { ItemFilter } from '../server/src/features/board/requests/search/item-filter.ts'
import { requestsPerSecond } from './load.ts'
import { type Row, report } from './measure.ts'
import { getHomeStatement, PAGE, recordStatements } from './serve.ts'
import { type Recorded, reportPlanning } from './statements.ts'

const CONNECTIONS = 16
const ROUND_SECONDS = 2
const ROUNDS = 9
const MIN_RATIO_TO_MINIMAL = 0.9
const MIN_RATIO_TO_PGBENCH = 0.2
const CALL_ROUNDS = 5
const MIN_CALL_RATIO = 0.8
const MAX_SEARCH_RATIO = 2
const SEARCHES = ['walnut', 'brass', 'sextant', 'gramophone', 'camer', 'porcelain', 'bicycle', 'cameras']

type Rates = { full: number; minimal: number; pgbench: number }

/**
 * Requests the home list from the full server, from a minimal server and directly with pgbench. They alternate in
 * short rounds and are compared within a round, so that other load on the machine affects all of them.
 */
export async function compareServers(databaseUrl: string): Promise<boolean> {
  const full = await startServer('full', databaseUrl)
  const minimal = await startServer('minimal', databaseUrl)
  const pgbench = findPgbench()
  if (!pgbench)
    console.log('\npgbench is neither in PATH nor in /usr/lib/postgresql: its row is not measured.')
  const turns: [keyof Rates, () => Promise<number>][] = [
    ['full', () => measureHome(full.port)],
    ['minimal', () => measureHome(minimal.port)],
    ['pgbench', async () => (pgbench ? runPgbench(pgbench, databaseUrl) : Number.NaN)],
  ]
  const rounds: Rates[] = []
  try {
    // The first round is a warm-up.
    for (let round = 0; round <= ROUNDS; round++) {
      const rates = { full: 0, minimal: 0, pgbench: 0 }
      for (const [name, measure] of round % 2 ? turns : turns.toReversed()) rates[name] = await measure()
      if (round > 0) rounds.push(rates)
    }
  } finally {
    full.stop()
    minimal.stop()
  }
  return report(
    `Home list, signed out, ${CONNECTIONS} connections, median of ${ROUNDS} rounds of ${ROUND_SECONDS} s`,
    ['', 'other', 'full server', 'ratio', 'limit'],
    [
      toRow('minimal Fastify route, same SQL', 'minimal', MIN_RATIO_TO_MINIMAL, rounds),
      toRow('pgbench, same SQL', 'pgbench', MIN_RATIO_TO_PGBENCH, rounds),
    ],
  )
}

function toRow(title: string, other: 'minimal' | 'pgbench', least: number, rounds: Rates[]): Row {
  const rate = (of: keyof Rates) => median(rounds.map((rates) => rates[of]))
  const ratio = median(rounds.map((rates) => rates.full / rates[other]))
  return {
    cells: [title, formatRate(rate(other)), formatRate(rate('full')), ratio.toFixed(2), `at least ${least}`],
    ok: Number.isNaN(ratio) ? null : ratio >= least,
  }
}

const HOME = [`${listWantedItems.path}?limit=${PAGE}`]
const measureHome = (port: number) => requestsPerSecond(port, HOME, CONNECTIONS, ROUND_SECONDS)

/** Different keys, so that few requests share a read. */
const publicCalls = {
  home: HOME,
  item: Array.from({ length: 1_000 }, (_, at) => fillPath(getWantedItem.path, { id: String(1 + at * 7) })),
  category: CATEGORIES.map((name) => `${HOME[0]}&category=${encodeURIComponent(name)}`),
  search: SEARCHES.map((word) => `${HOME[0]}&search=${word}`),
  profile: Array.from({ length: 100 }, (_, at) => fillPath(getPublicProfile.path, { id: `bench${at}` })),
}

/**
 * Requests the public calls from both servers in alternating rounds. A search is also compared to lists with
 * different keys.
 */
export async function comparePublicCalls(databaseUrl: string): Promise<boolean> {
  const full = await startServer('full', databaseUrl)
  const minimal = await startServer('minimal', databaseUrl)
  const rows: Row[] = []
  const fullRates = new Map<string, number>()
  try {
    for (const [title, paths] of Object.entries(publicCalls)) {
      const measure = ({ port }: { port: number }) =>
        requestsPerSecond(port, paths, CONNECTIONS, ROUND_SECONDS)
      const rounds: Rates[] = []
      for (let round = 0; round <= CALL_ROUNDS; round++) {
        const rates = { minimal: await measure(minimal), full: await measure(full), pgbench: Number.NaN }
        // The first round is a warm-up.
        if (round > 0) rounds.push(rates)
      }
      rows.push(toRow(title, 'minimal', MIN_CALL_RATIO, rounds))
      fullRates.set(title, median(rounds.map((rates) => rates.full)))
    }
  } finally {
    full.stop()
    minimal.stop()
  }
  const search = fullRates.get('search') ?? Number.NaN
  // Not the home list: all its readers share one read, so its rate does not reflect the work.
  const list = fullRates.get('category') ?? Number.NaN
  rows.push({
    cells: [
      'a search, in times of a category list',
      formatRate(list),
      formatRate(search),
      (list / search).toFixed(2),
      `at most ${MAX_SEARCH_RATIO}`,
    ],
    ok: list / search <= MAX_SEARCH_RATIO,
  })
  return report(
    `Public calls, signed out, different keys, ${CONNECTIONS} connections, median of ${CALL_ROUNDS} rounds`,
    ['', 'minimal route', 'full server', 'ratio', 'limit'],
    rows,
  )
}

const STATEMENT_CALLS = 60

/** Prints what PostgreSQL spends on planning the public calls. */
export async function measurePlanning({ pool }: Database): Promise<boolean> {
  const now = new Date()
  const { rows } = await pool.query<{ id: number }>(
    'select id from wanted_items order by id desc limit 100000',
  )
  const numbers = Array.from({ length: STATEMENT_CALLS }, (_, at) => at)
  const after = (at: number) => ({ position: rows[(at * 997) % rows.length]?.id ?? 1, key: 0 })
  const category = (at: number) => CATEGORIES[at % CATEGORIES.length]
  const list = (filter: (at: number) => Partial<ItemFilter>) => (db: PooledDb, at: number) =>
    findOpenItems(db, { ...filter(at), limit: PAGE, now })
  const reads: Record<string, (db: PooledDb, at: number) => Promise<unknown>> = {
    home: list(() => ({})),
    'later page': list((at) => ({ after: after(at) })),
    category: list((at) => ({ category: category(at) })),
    'later page of a category': list((at) => ({ category: category(at), after: after(at) })),
    'high urgency': list(() => ({ urgency: 'high' })),
    item: (db, at) => readItem(db, 1 + at * 7),
    search: list((at) => ({ search: SEARCHES[at % SEARCHES.length] })),
    'search for two words': list((at) => ({ search: `${SEARCHES[at % 4]} ${SEARCHES[4 + (at % 4)]}` })),
    profile: (db, at) => readPerson(db, `bench${at}`),
  }
  const recorded: Recorded = {}
  for (const [call, read] of Object.entries(reads)) {
    recorded[call] = []
    for (const at of numbers) recorded[call].push(...(await recordStatements(pool, (db) => read(db, at))))
  }
  return reportPlanning(urlOf(pool), recorded)
}

const urlOf = (pool: pg.Pool) => pool.options.connectionString ?? ''

async function startServer(which: 'full' | 'minimal', databaseUrl: string) {
  const child = fork(join(import.meta.dirname, 'serve.ts'), [which, databaseUrl])
  const [port] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error(`the ${which} server did not start`))),
  ])
  return { port: Number(port), stop: () => child.disconnect() }
}

export function findPgbench(): string | undefined {
  // biome-ignore lint/style/noProcessEnv: PATH is not a setting of the product
  const folders = (process.env.PATH ?? '').split(':')
  return [...folders, ...globSync('/usr/lib/postgresql/*/bin').toSorted().toReversed()]
    .map((folder) => join(folder, 'pgbench'))
    .find((file) => existsSync(file))
}

async function runPgbench(pgbench: string, databaseUrl: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'sought-bench-'))
  const script = join(folder, 'home.sql')
  const { text, values } = getHomeStatement()
  // pgbench scripts have no parameters.
  const filled = text.replace(
    /\$(\d+)/g,
    (_, number) => `'${new Date(String(values[Number(number) - 1])).toISOString()}'`,
  )
  writeFileSync(script, `${filled};\n`)
  try {
    const counts = ['-c', String(CONNECTIONS), '-j', '1', '-T', String(ROUND_SECONDS)]
    const { stdout } = await promisify(execFile)(pgbench, [
      '-n',
      '-M',
      'prepared',
      ...counts,
      '-f',
      script,
      databaseUrl,
    ])
    return Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

export const formatRate = (rate: number) =>
  Number.isNaN(rate) ? '-' : `${Math.round(rate).toLocaleString('en')}/s`
