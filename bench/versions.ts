import { execFile, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { CATEGORIES } from '@sought/contract/constants'
import pg from 'pg'
import { freePort } from '../server/src/core/free-port.ts'
import { createClient, type Send } from '../verification/load/http-client.ts'
import { changeMarketSettings } from '../verification/support/market-settings.ts'
import { createDatabase } from './create-database.ts'
import { requestsPerSecond } from './load.ts'
import { type Row, report } from './measure.ts'
import { formatRate, median } from './throughput.ts'

/*
 * Compares this version with another one, whose folder has its packages installed. Both get the same requests in
 * alternating rounds, each with its own database on the same PostgreSQL.
 */

const THIS = join(import.meta.dirname, '..')
const REPORT_MEMORY = new URL('report-memory.ts', import.meta.url).href
const PEOPLE = 20
const ITEMS = 300
const CONNECTIONS = 16
const ROUND_SECONDS = 3
const ROUNDS = 9
const MIN_RATIO = 0.95
const START_WITHIN_MS = 120_000
const POLL_MS = 20

const DUE_JOB =
  'select from graphile_worker._private_jobs where run_at <= now() and attempts < max_attempts limit 1'

interface Version {
  port: number
  untilJobsDone(): Promise<void>
  /** The memory of the process without garbage. */
  memoryBytes(): Promise<number>
  send: Send
  cookies: string[]
  ownerId: string
  itemIds: number[]
  stop(): Promise<void>
}

export async function compareVersions(adminUrl: string, otherFolder: string): Promise<boolean> {
  const current = await startVersion(adminUrl, 'this', THIS)
  try {
    const other = await startVersion(adminUrl, 'other', otherFolder)
    try {
      return await compare(current, other)
    } finally {
      await other.stop()
    }
  } finally {
    await current.stop()
  }
}

async function compare(current: Version, other: Version): Promise<boolean> {
  const rows: Row[] = []
  for (const [title, measure] of Object.entries(calls)) {
    const rounds: [current: number, other: number][] = []
    for (let round = 0; round <= ROUNDS; round++) {
      const rates: [number, number] = [await measure(current), await measure(other)]
      // The first round is a warm-up.
      if (round > 0) rounds.push(rates)
    }
    const ratio = median(rounds.map(([ours, theirs]) => ours / theirs))
    const [ours, theirs] = [0, 1].map((at) => median(rounds.map((rates) => rates[at] ?? Number.NaN)))
    rows.push(toRow(title, formatRate(theirs ?? Number.NaN), formatRate(ours ?? Number.NaN), ratio))
  }
  const [ours, theirs] = [await current.memoryBytes(), await other.memoryBytes()]
  rows.push(toRow('memory afterwards', formatMegabytes(theirs), formatMegabytes(ours), theirs / ours))
  return report(
    `This version against another, ${CONNECTIONS} connections, median of ${ROUNDS} rounds of ${ROUND_SECONDS} s`,
    ['', 'other', 'this', 'ratio', 'limit'],
    rows,
  )
}

const toRow = (title: string, other: string, current: string, ratio: number): Row => ({
  cells: [title, other, current, ratio.toFixed(2), `at least ${MIN_RATIO}`],
  ok: ratio >= MIN_RATIO,
})

const LIST = '/api/wanted-items?limit=12'
const get = (pathsOf: (version: Version) => string[]) => (version: Version) =>
  requestsPerSecond(version.port, pathsOf(version), CONNECTIONS, ROUND_SECONDS)

const calls: Record<string, (version: Version) => Promise<number>> = {
  'home list': get(() => [LIST]),
  'lists with different addresses': get(({ itemIds }) => [
    ...CATEGORIES.map((name) => `${LIST}&category=${encodeURIComponent(name)}`),
    ...itemIds.map((id) => `${LIST}&cursor=${id}`),
    ...itemIds.map(
      (id, at) => `${LIST}&category=${encodeURIComponent(pick([...CATEGORIES], at))}&cursor=${id}`,
    ),
  ]),
  'a request': get(({ itemIds }) => itemIds.map((id) => `/api/wanted-items/${id}`)),
  'a search': get(() => ['lamp', 'walnut', 'brass'].map((word) => `${LIST}&search=${word}`)),
  'the signed-in user': send(({ cookies }, at) => ['GET /api/auth/user', { cookie: pick(cookies, at) }]),
  'own conversations': send(({ cookies }, at) => ['GET /api/conversations', { cookie: pick(cookies, at) }]),
  'posting a request': send(({ cookies }, at) => [
    'POST /api/wanted-items',
    { cookie: pick(cookies, at), json: itemNumber(at) },
  ]),
  'sending a message': send(({ cookies, itemIds, ownerId }, at) => [
    'POST /api/messages',
    {
      cookie: pick(cookies.slice(1), at),
      json: { wantedItemId: itemIds[0], receiverId: ownerId, content: `Message ${at}` },
    },
  ]),
}

const pick = <Value>(values: Value[], at: number) => values[at % values.length] as Value

let sent = 0

function send(requestOf: (version: Version, at: number) => Parameters<Send>) {
  return async (version: Version): Promise<number> => {
    const beganMs = performance.now()
    const until = beganMs + ROUND_SECONDS * 1000
    let answered = 0
    const sendUntil = async () => {
      while (performance.now() < until) {
        const [call, options] = requestOf(version, ++sent)
        const { status, body } = await version.send(call, options)
        if (status >= 300) throw new Error(`${call}: ${status} ${body}`)
        answered++
      }
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, sendUntil))
    // Jobs must be done before measuring, because a version whose jobs lag behind would seem faster.
    await version.untilJobsDone()
    return answered / ((performance.now() - beganMs) / 1000)
  }
}

const itemNumber = (at: number) => ({
  title: `${pick(['Lamp', 'Walnut table', 'Brass bell'], at)} ${at}`,
  description: 'In good condition, please',
  category: 'Other',
  location: 'Ipoh',
  maxBudget: 100,
})

async function startVersion(adminUrl: string, name: string, folder: string): Promise<Version> {
  const databaseUrl = await createDatabase(adminUrl, `sought_bench_${name}_version`)
  const dataDir = mkdtempSync(join(tmpdir(), 'sought-bench-'))
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const node = join(folder, 'node_modules/node/bin/node')
  await promisify(execFile)(node, ['scripts/build-web.ts'], { cwd: folder })
  const settings = { PORT: String(port), PUBLIC_URL: address, DATABASE_URL: databaseUrl, DATA_DIR: dataDir }
  const env = {
    ...settings,
    HOST: '127.0.0.1',
    DEMO: 'off',
    RATE_LIMIT: 'off',
    LOAD_SHEDDING: 'off',
    LOG_LEVEL: 'error',
  }
  const options: SpawnOptions = { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }
  const server = spawn(node, ['--expose-gc', '--import', REPORT_MEMORY, 'server/src/main.ts'], options)
  const database = new pg.Pool({ connectionString: databaseUrl, max: 1 })
  const version = {
    port,
    send: createClient(address),
    async untilJobsDone() {
      while ((await database.query(DUE_JOB)).rowCount) await wait(POLL_MS)
    },
    async memoryBytes() {
      server.send('memory')
      const [bytes] = await once(server, 'message')
      return bytes
    },
    async stop() {
      await database.end()
      server.kill('SIGTERM')
      await once(server, 'exit')
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
  try {
    await untilReady(version.send)
    await changeMarketSettings(databaseUrl, { openRequestsMax: null })
    const seeded = await seed(version.send)
    // PostgreSQL plans with the statistics that a market in operation has.
    await database.query('vacuum analyze')
    return { ...version, ...seeded }
  } catch (error) {
    await version.stop()
    throw error
  }
}

async function untilReady(send: Send): Promise<void> {
  const deadline = performance.now() + START_WITHIN_MS
  while ((await send('GET /readyz').catch(() => undefined))?.status !== 200) {
    if (performance.now() > deadline) throw new Error('a server did not start')
    await wait(100)
  }
}

async function seed(send: Send) {
  const cookies: string[] = []
  let ownerId = ''
  for (let at = 0; at < PEOPLE; at++) {
    const json = { email: `user${at}@example.com`, password: 'correct horse', firstName: 'A', lastName: 'B' }
    const { cookie, body } = await send('POST /api/auth/signup', { json })
    cookies.push(cookie)
    ownerId ||= JSON.parse(body).id
  }
  const itemIds: number[] = []
  for (let at = 0; at < ITEMS; at++) {
    const { body } = await send('POST /api/wanted-items', { cookie: cookies[0] ?? '', json: itemNumber(at) })
    itemIds.push(JSON.parse(body).id)
  }
  return { cookies, ownerId, itemIds }
}

const formatMegabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`
