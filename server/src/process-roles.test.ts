import { Agent, get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from './core/free-port.ts'
import { eventually } from './testing/eventually.ts'
import { startProcess } from './testing/start-process.ts'
import { openDatabase, PASSWORD } from './testing/world.ts'

/** Two processes start, on a machine that may be busy. */
const TIMEOUT_MS = 180_000

const lamp = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh', maxBudget: 50 }

test('a web and a worker process share the work, and stop without losing requests or jobs', {
  tags: ['proof'],
  timeout: TIMEOUT_MS,
}, async () => {
  const databaseUrl = await openDatabase()
  const sql = new pg.Pool({ connectionString: databaseUrl })
  onTestFinished(() => sql.end())
  const probes = `http://127.0.0.1:${await freePort()}`
  const env = { DATABASE_URL: databaseUrl, SESSION_SECRET: 's'.repeat(32), DATA_KEY: 'd'.repeat(32) }
  const web = await startProcess({ ...env, DRAIN_SECONDS: '1' }, 'web')
  const status = async (url: string) => (await fetch(url)).status
  await eventually(async () => expect(await status(`${web.address}/readyz`)).toBe(200))

  // The web process runs no jobs: the email of the sign-up waits for a worker.
  const person = { email: 'ada@example.com', password: PASSWORD, firstName: 'Ada', lastName: 'Tester' }
  const signedUp = await post(`${web.address}/api/auth/signup`, person)
  expect(signedUp.status).toBe(201)
  const [cookie = ''] = signedUp.headers.getSetCookie()[0]?.split(';') ?? []
  const countJobs = async () =>
    (await sql.query("select from graphile_worker.jobs where task_identifier = 'send-mail'")).rowCount
  expect(await countJobs()).toBe(1)
  const worker = await startProcess({ ...env, METRICS_PORT: new URL(probes).port }, 'worker')
  await eventually(async () => expect(await status(`${probes}/readyz`)).toBe(200))
  expect(await status(`${probes}/healthz`)).toBe(200)
  expect(await (await fetch(`${probes}/metrics`)).text()).toContain('process_cpu_user_seconds_total')
  await expect(fetch(`${worker.address}/healthz`)).rejects.toThrow()
  await eventually(async () => expect(await countJobs()).toBe(0))

  // A running request, a stream and a connection kept open by a proxy, when the process is told to stop.
  const holder = await sql.connect()
  onTestFinished(() => holder.release(true))
  await holder.query('begin; lock table wanted_items in access exclusive mode')
  const posted = post(`${web.address}/api/wanted-items`, lamp, cookie)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = (path: string) => fetchOver(agent, web.address + path, cookie)
  await ask('/healthz')
  const stream = await fetch(`${web.address}/api/events`, { headers: { cookie } })
  const streamed = stream.text()
  web.process.kill('SIGTERM')
  await eventually(async () => expect((await ask('/readyz')).status).toBe(503))
  expect(await ask('/api/auth/user')).toMatchObject({ status: 200, connection: 'keep-alive' })
  // New connections are refused, but the open one is served once more.
  await eventually(() => expect(fetch(`${web.address}/healthz`)).rejects.toThrow())
  expect(await ask('/api/auth/user')).toMatchObject({ status: 200, connection: 'close' })
  expect(await streamed).toMatch(/\nretry: \d+\n\n$/)
  await holder.query('rollback')
  expect((await posted).status).toBe(201)
  expect(await web.exited).toBe(0)

  worker.process.kill('SIGTERM')
  expect(await worker.exited).toBe(0)
  expect((await sql.query('select from graphile_worker.jobs where locked_by is not null')).rowCount).toBe(0)
})

test('a process whose database connections are all in use answers the requests that it has accepted', {
  tags: ['proof'],
  timeout: TIMEOUT_MS,
}, async () => {
  const databaseUrl = await openDatabase()
  const sql = new pg.Pool({ connectionString: databaseUrl })
  onTestFinished(() => sql.end())
  const server = await startProcess({ DATABASE_URL: databaseUrl, DRAIN_SECONDS: '1' })
  await eventually(async () => expect((await fetch(`${server.address}/readyz`)).status).toBe(200))
  const holder = await sql.connect()
  onTestFinished(() => holder.release(true))
  await holder.query('begin; lock table wanted_items in access exclusive mode')
  const paths = Array.from({ length: 40 }, (_, at) => `/api/wanted-items?limit=${at + 1}`)
  const replies = paths.map((path) => fetch(server.address + path))
  const countBlocked = async () =>
    (
      await sql.query(
        "select from pg_stat_activity where application_name = 'sought' and wait_event = 'relation'",
      )
    ).rowCount
  await eventually(async () => expect(await countBlocked()).toBeGreaterThan(10))

  server.process.kill('SIGTERM')
  await eventually(() => expect(fetch(`${server.address}/healthz`)).rejects.toThrow())
  await holder.query('rollback')
  expect(new Set((await Promise.all(replies)).map(({ status }) => status))).toEqual(new Set([200]))
  expect(await server.exited).toBe(0)
})

test('a process with Stripe keys that cannot work serves, but is not ready', {
  tags: ['proof'],
  timeout: TIMEOUT_MS,
}, async () => {
  const keys = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_live_1' }
  const { address } = await startProcess({ DATABASE_URL: await openDatabase(), ...keys })
  await eventually(async () => expect((await fetch(`${address}/api/categories`)).status).toBe(200))
  const refused = await fetch(`${address}/readyz`)
  expect([refused.status, await refused.text()]).toEqual([503, expect.stringContaining('for test mode')])
})

function post(url: string, body: object, cookie = ''): Promise<Response> {
  const headers = { 'content-type': 'application/json', cookie }
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
}

async function fetchOver(agent: Agent, url: string, cookie: string) {
  const reply = await new Promise<IncomingMessage>((resolve, reject) =>
    get(url, { agent, headers: { cookie } }, resolve).once('error', reject),
  )
  await text(reply)
  return { status: reply.statusCode, connection: reply.headers.connection }
}
