import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '@sought/server/core/free-port'
import pg from 'pg'
import { openEventStream } from '../load/http-client.ts'
import type { Line, Part } from '../support/part.ts'
import { createServerProcess, type ServerProcess } from '../support/server-process.ts'
import { createTemporaryDatabase, openPool } from '../support/temporary-database.ts'
import { type Cut, openPostgresProxy, type PostgresProxy } from './postgres-proxy.ts'

/*
 * The connections to PostgreSQL break at the first, second, third … request that the server sends to it: while it
 * starts, while it works and while it stops. The server must neither exit nor leave an error unhandled. It must
 * answer with 503 and recover without help, and a stop must end with exit code 0.
 */

/** Each request of the server is cut in one of these ways. Three runs cover all of them. */
const WAYS = [
  { when: 'before', connections: 'all' },
  { when: 'after', connections: 'all' },
  { when: 'after', connections: 'one' },
] as const satisfies Omit<Cut, 'atRequest'>[]
const PARALLEL = 2
const READY_WITHIN_MS = 180_000
const STOP_WITHIN_MS = 60_000
const REPLY_WITHIN_MS = 20_000
const JOBS_WITHIN_MS = 60_000
const POLL_MS = 25
const MAX_REQUESTS = 2_000
const UNHANDLED = /unhandled|uncaught/i

interface Setup {
  /** A migrated database that is copied for each process. */
  template: string
  dataDir: string
}

interface Target {
  server: ServerProcess
  proxy: PostgresProxy
  sql: pg.Pool
  close(): Promise<void>
}

/** Returns the problems, or null once the phase has fewer requests than the cut's number. */
type Attempt = (setup: Setup, cut: Cut) => Promise<string[] | null>

export const connectionLoss: Part = async ({ postgresUrl, seed, share, only }) => {
  const { url: template, drop } = await createTemporaryDatabase(postgresUrl)
  const dataDir = await mkdtemp(join(tmpdir(), 'sought-connection-loss-'))
  const setup = { template, dataDir }
  const ways = Math.max(1, Math.round(WAYS.length * share))
  const step = share * WAYS.length < 1 ? Math.round(1 / (share * WAYS.length)) : 1
  try {
    const lines: Line[] = []
    for (const [phase, run] of Object.entries(phases)) {
      if (only && !phase.includes(only)) continue
      for (let way = 0; way < ways; way++) {
        const line = await run(setup, { seed: seed + way, step })
        console.log(`${line.what}: ${line.times}`)
        lines.push(line)
      }
    }
    return lines
  } finally {
    await rm(dataDir, { recursive: true, force: true })
    await drop()
  }
}

interface Progress {
  seed: number
  step: number
}

const phases: Record<string, (setup: Setup, progress: Progress) => Promise<Line>> = {
  start: (...given) => cutEach('connections lost while it starts', cutStart, ...given),
  stop: (...given) => cutEach('connections lost while it stops', cutStop, ...given),
  work: cutWork,
}

const cutAt = (atRequest: number, seed: number): Cut => ({
  atRequest,
  ...(WAYS[(atRequest + seed) % WAYS.length] ?? WAYS[0]),
})

const describeCut = ({ atRequest, when, connections }: Cut) =>
  `cut ${when} request ${atRequest}, ${connections}`

/** Cuts one request after the other, until there are no more. */
async function cutEach(
  what: string,
  attempt: Attempt,
  setup: Setup,
  { seed, step }: Progress,
): Promise<Line> {
  const line: Line = { what, times: 0, violations: [] }
  let next = 1 + (seed % step)
  let ended = false
  const work = async () => {
    while (!ended && next <= MAX_REQUESTS) {
      const cut = cutAt(next, seed)
      next += step
      const problems = await attempt(setup, cut)
      if (!problems) ended = true
      else {
        line.times++
        line.violations.push(...problems.map((problem) => `${what}, ${describeCut(cut)}: ${problem}`))
      }
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, work))
  return line
}

async function cutStart(setup: Setup, cut: Cut): Promise<string[] | null> {
  const target = await openTarget(setup)
  try {
    const { server, proxy } = target
    const hasCut = proxy.arm(cut)
    const problems = watch(server)
    server.start()
    problems.push(...(await untilReady(server)))
    if (!hasCut() && problems.length === 0) return null
    return [...problems, ...(await stop(server))]
  } finally {
    await target.close()
  }
}

async function cutStop(setup: Setup, cut: Cut): Promise<string[] | null> {
  const target = await openTarget(setup)
  try {
    const { server, proxy } = target
    server.start()
    const problems = await untilReady(server)
    const hasCut = proxy.arm(cut)
    problems.push(...(await stop(server)))
    return hasCut() || problems.length > 0 ? problems : null
  } finally {
    await target.close()
  }
}

/** Uses one process for all cuts, which must survive them all. */
async function cutWork(setup: Setup, { seed, step }: Progress): Promise<Line> {
  const target = await openTarget(setup)
  const { server, proxy } = target
  const violations = watch(server)
  let times = 0
  let answers = 0
  server.start()
  try {
    violations.push(...(await untilReady(server)))
    const requests = proxy.disarm()
    await work(server.address)
    const total = requests()
    for (let request = 1 + (seed % step); request <= total && violations.length === 0; request += step) {
      const cut = cutAt(request, seed)
      const hasCut = proxy.arm(cut)
      const replies = await work(server.address)
      answers += replies.length
      // Because of the sweeps, the number of requests varies.
      if (hasCut()) times++
      const wrong = replies.filter(({ status, code }) => status >= 500 && code !== 'unavailable')
      violations.push(
        ...wrong.map(({ call, status, code }) => `${describeCut(cut)}: ${call}: ${status} ${code}`),
        ...(await untilReady(server)).map((problem) => `${describeCut(cut)}: ${problem}`),
      )
    }
    proxy.disarm()
    violations.push(...(await checkJobs(target.sql)), ...(await stop(server)))
  } finally {
    await target.close()
  }
  return { what: `connections lost while it works (${answers} answers)`, times, violations }
}

async function openTarget({ template, dataDir }: Setup): Promise<Target> {
  const database = await copyDatabase(template)
  const proxy = await openPostgresProxy(database.url)
  const server = createServerProcess(
    `http://127.0.0.1:${await freePort()}`,
    {
      DATABASE_URL: proxy.url,
      DATA_DIR: dataDir,
      ESCROW_SWEEP_SECONDS: '3',
      RATE_LIMIT: 'off',
      LOAD_SHEDDING: 'off',
      LOG_LEVEL: 'error',
      NODE_COMPILE_CACHE: join(dataDir, 'compiled'),
    },
    () => 0,
  )
  const sql = openPool(database.url)
  return {
    server,
    proxy,
    sql,
    async close() {
      await server.kill()
      await proxy.close()
      await sql.end()
      await database.drop()
    },
  }
}

async function copyDatabase(template: string): Promise<{ url: string; drop(): Promise<void> }> {
  const [admin, url] = [new URL(template), new URL(template)]
  admin.pathname = '/template1'
  url.pathname = `/connection_loss_${randomUUID().replaceAll('-', '')}`
  const name = url.pathname.slice(1)
  const execute = async (statement: string) => {
    const client = new pg.Client({ connectionString: admin.href })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  await execute(`create database ${name} template ${new URL(template).pathname.slice(1)}`)
  return { url: url.href, drop: () => execute(`drop database ${name} with (force)`) }
}

/** Collects an unexpected end of the process. */
function watch(server: ServerProcess): string[] {
  const problems: string[] = []
  server.onExit(() => problems.push(`the process ended:\n${server.output()}`))
  return problems
}

async function untilReady(server: ServerProcess): Promise<string[]> {
  const deadline = Date.now() + READY_WITHIN_MS
  while (Date.now() < deadline) {
    const signal = AbortSignal.timeout(REPLY_WITHIN_MS)
    const reply = await fetch(`${server.address}/readyz`, { signal }).catch(() => null)
    if (reply?.ok) return []
    await wait(POLL_MS)
  }
  return [`not ready within ${READY_WITHIN_MS} ms:\n${server.output()}`]
}

async function stop(server: ServerProcess): Promise<string[]> {
  const code = await Promise.race([server.stop(), wait(STOP_WITHIN_MS, 'late' as const, { ref: false })])
  const problems = code === 0 ? [] : [`it stopped with ${code}:\n${server.output()}`]
  return UNHANDLED.test(server.output()) ? [...problems, `unhandled:\n${server.output()}`] : problems
}

interface Answer {
  call: string
  status: number
  code: string
}

/** The actions of users, one after the other. A failure must not prevent later calls. */
async function work(address: string): Promise<Answer[]> {
  const answers: Answer[] = []
  let cookie = ''
  const send = async (call: string, json?: object) => {
    const [method = '', path = ''] = call.split(' ')
    const reply = await fetch(address + path, {
      method,
      headers: { cookie, ...(json && { 'content-type': 'application/json' }) },
      ...(json && { body: JSON.stringify(json) }),
      signal: AbortSignal.timeout(REPLY_WITHIN_MS),
    }).catch((error: Error) => error)
    if (reply instanceof Error) {
      answers.push({ call, status: 599, code: reply.message })
      return {}
    }
    const [set] = reply.headers.getSetCookie()
    cookie = set?.split(';')[0] ?? cookie
    const body = (await reply.json().catch(() => ({}))) as { id?: unknown; code?: string }
    // Pages have no code.
    const isPage = reply.headers.get('content-type')?.startsWith('text/html')
    answers.push({
      call,
      status: reply.status,
      code: (isPage ? reply.status === 503 && 'unavailable' : body.code) || 'no code',
    })
    return body
  }
  const [email, password] = [`${randomUUID()}@example.com`, 'correct horse']
  const lamp = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh', maxBudget: 50 }
  const { id: seller } = await send('POST /api/auth/signup', {
    email: `seller-${email}`,
    password,
    firstName: 'Ada',
    lastName: 'Tester',
  })
  const { id: itemId } = await send('POST /api/wanted-items', lamp)
  await send('POST /api/auth/signup', { email, password, firstName: 'Bob', lastName: 'Tester' })
  const hangUp = openEventStream(address, cookie)
  await send('POST /api/auth/login', { email, password })
  await send('POST /api/messages', { wantedItemId: itemId, receiverId: seller, content: 'Hello' })
  await send('POST /api/offers', { wantedItemId: itemId, receiverId: seller, amount: 4_000 })
  await send('GET /api/wanted-items?search=lamp&limit=12')
  await send(`GET /api/wanted-items/${itemId}`)
  await send('GET /api/conversations')
  await send('GET /')
  await send(`GET /item/${itemId}`)
  await send('GET /api/notifications')
  await send('POST /api/auth/logout')
  hangUp()
  return answers
}

/** Runs a new job, to prove that no worker hangs. */
async function checkJobs(sql: pg.Pool): Promise<string[]> {
  const { rows } = await sql.query(
    `select (graphile_worker.add_job(name, payload := '{"mailIds":[],"itemId":0}')).id
     from unnest(array['send-mail', 'fetch-picture', 'tidy-up']) name`,
  )
  const ids = rows.map(({ id }) => id)
  const deadline = Date.now() + JOBS_WITHIN_MS
  while (Date.now() < deadline) {
    const left = await sql.query('select from graphile_worker.jobs where id = any($1)', [ids])
    if (left.rowCount === 0) return []
    await wait(POLL_MS)
  }
  return ['jobs are no longer run']
}
