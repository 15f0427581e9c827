import fastify from 'fastify'
import { Registry } from 'prom-client'
import { describe, expect, test } from 'vitest'
import { freePort } from '../core/free-port.ts'
import type { Database } from '../database/database.ts'
import { answerError } from '../http/answer-error.ts'
import { eventually } from '../testing/eventually.ts'
import { METRICS_ACCESS, openWorld, type Person, shareWorld } from '../testing/world.ts'
import { addHealth, type Readiness } from './health.ts'

const world = shareWorld()

test('/healthz and /readyz report a running, ready server', async () => {
  const { visitor } = world()
  expect((await visitor('GET /healthz')).json()).toEqual({ ok: true })
  expect((await visitor('GET /readyz')).json()).toEqual({ ok: true })
})

test('/readyz refuses until the server is ready, and again when it stops', async () => {
  const { services } = world()
  const readiness: Readiness = { ready: false }
  const app = fastify()
  app.setErrorHandler(answerError)
  addHealth(app, services, readiness, new Registry())
  const ask = async () => (await app.inject('/readyz')).statusCode
  expect(await ask()).toBe(503)
  readiness.ready = true
  expect(await ask()).toBe(200)
  for (const shutdown of ['draining', 'closing'] as const) {
    readiness.shutdown = shutdown
    expect(await ask()).toBe(503)
  }
})

test('/readyz refuses while statements get no answer', async () => {
  const { services } = world()
  let isSilent = true
  const app = fastify()
  app.setErrorHandler(answerError)
  const database = { ...services.database, isSilent: () => isSilent }
  addHealth(app, { ...services, database }, { ready: true }, new Registry())
  const refused = await app.inject('/readyz')
  expect([refused.statusCode, refused.json().message]).toEqual([503, 'The database does not answer.'])
  isSilent = false
  expect((await app.inject('/readyz')).statusCode).toBe(200)
})

describe('metrics', () => {
  test('count requests by method, route and status', async () => {
    const { visitor } = await openWorld()
    await visitor('GET /api/wanted-items/1')
    await visitor('GET /api/wanted-items/2')
    await visitor('GET /api/categories')
    await visitor('GET /api/nothing-here?at=all')
    const { body, headers } = await visitor('GET /metrics', undefined, METRICS_ACCESS)
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
    const counts = body.split('\n').filter((line) => line.startsWith('http_request_duration_seconds_count'))
    expect(counts).toEqual([
      'http_request_duration_seconds_count{method="GET",route="/api/wanted-items/:id",status="404"} 2',
      'http_request_duration_seconds_count{method="GET",route="/api/categories",status="200"} 1',
      'http_request_duration_seconds_count{method="GET",route="none",status="404"} 1',
    ])
    // prom-client's process metrics come first.
    expect(body).toMatch(/^process_cpu_user_seconds_total \d/m)
    expect(body).toMatch(/^# TYPE http_request_duration_seconds histogram$/m)
  })

  test('need the token on the public port, even from this machine', { tags: ['proof'] }, async () => {
    const read = async (env: Record<string, string>, headers: Record<string, string> = {}) => {
      const { visitor } = await openWorld(env)
      return (await visitor('GET /metrics', undefined, { headers })).statusCode
    }
    const token = 'a metrics token of some length'
    expect(await read({ METRICS_TOKEN: token }, { authorization: `Bearer ${token}` })).toBe(200)
    expect(
      await read({ METRICS_TOKEN: token }, { authorization: 'Bearer another metrics token of len' }),
    ).toBe(404)
    expect(await read({ METRICS_TOKEN: token })).toBe(404)
    // Without a token, nobody can read them, not even this machine, because a proxy may run on it.
    expect(await read({ METRICS_TOKEN: '' })).toBe(404)
    expect(await read({ METRICS_TOKEN: '' }, { authorization: 'Bearer undefined' })).toBe(404)
  })

  test('have a separate loopback port, which serves nothing else', async () => {
    const port = await freePort()
    const { app } = await openWorld({ METRICS_PORT: String(port) })
    await app.listen({ port: 0, host: '127.0.0.1' })
    const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
    expect(await (await ask('/metrics')).text()).toContain('process_cpu_user_seconds_total')
    expect((await ask('/api/categories')).status).toBe(404)
    await app.close()
    await expect(ask('/metrics')).rejects.toThrow()
  })

  test('need the token on a port that other machines can reach', async () => {
    const [port, token] = [await freePort(), 'a metrics token of some length']
    const env = { METRICS_PORT: String(port), METRICS_HOST: '127.0.0.2' }
    const withoutToken = openWorld({ ...env, METRICS_TOKEN: '' })
    await expect(withoutToken).rejects.toThrow('METRICS_TOKEN is required if METRICS_HOST is set')
    const { app } = await openWorld({ ...env, METRICS_TOKEN: token })
    await app.listen({ port: 0, host: '127.0.0.1' })
    const ask = (path: string, headers: Record<string, string> = {}) =>
      fetch(`http://127.0.0.2:${port}${path}`, { headers })
    expect((await ask('/metrics')).status).toBe(404)
    expect((await ask('/metrics', { authorization: `Bearer ${token}` })).status).toBe(200)
    expect((await ask('/healthz')).status).toBe(200)
  })
})

test('with TRUST_PROXY, the first request without X-Forwarded-For logs a warning that names the header', async () => {
  const warningsOf = async (env: Record<string, string>, headers: Record<string, string> = {}) => {
    const lines: string[] = []
    const { visitor } = await openWorld({ LOG_LEVEL: 'warn', ...env }, (line) => lines.push(line))
    await visitor('GET /healthz')
    for (let round = 0; round < 3; round++) await visitor('GET /api/categories', undefined, { headers })
    return lines.filter((line) => line.includes('X-Forwarded-For')).length
  }
  expect(await warningsOf({ TRUST_PROXY: 'on' })).toBe(1)
  expect(await warningsOf({ TRUST_PROXY: 'on' }, { 'x-forwarded-for': '203.0.113.9' })).toBe(0)
  expect(await warningsOf({})).toBe(0)
})

describe('an overloaded server', () => {
  /** Occupies all connections for a while, and lets many requests wait for them. */
  function fillQueue({ pool }: Database, ada: Person): Promise<unknown> {
    const slow = Array.from({ length: 20 }, () => pool.query('select pg_sleep(1)'))
    const waiting = Array.from({ length: 300 }, () => ada.call('GET /api/payments'))
    return Promise.all([...slow, ...waiting])
  }

  test('refuses requests with Retry-After, and still answers health checks', {
    tags: ['proof'],
  }, async () => {
    const { services, visitor, signUp } = await openWorld({ LOAD_SHEDDING: 'on' })
    const served = fillQueue(services.database, await signUp('Ada'))
    const refused = await eventually(async () => {
      const reply = await visitor('GET /api/categories')
      expect(reply.statusCode).toBe(503)
      return reply
    })
    expect(refused.headers['retry-after']).toBe('1')
    expect(refused.json().code).toBe('unavailable')
    for (const path of ['/healthz', '/readyz', '/metrics'])
      expect((await visitor(`GET ${path}`, undefined, METRICS_ACCESS)).statusCode, path).toBe(200)
    // The health checks did not wait for the others.
    expect(services.database.pool.waitingCount).toBeGreaterThan(0)
    await served
    expect((await visitor('GET /api/categories')).statusCode).toBe(200)
  })

  test('does not shed load with LOAD_SHEDDING=off', { tags: ['proof'] }, async () => {
    const { services, visitor, signUp } = await openWorld({ LOAD_SHEDDING: 'off' })
    const served = fillQueue(services.database, await signUp('Ada'))
    expect((await visitor('GET /api/categories')).statusCode).toBe(200)
    await served
  })
})

test('metrics count refusals, connections, streams and committed activities', async () => {
  const { visitor, services, signUp } = await openWorld()
  const { transact } = services.database
  await visitor('GET /api/wanted-items/1')
  await visitor('GET /api/nothing-here')
  const user = await signUp('Ada')
  const failing = transact(async (tx) => {
    tx.activities.push('offer')
    throw new Error('rolled back')
  })
  await expect(failing).rejects.toThrow('rolled back')
  await user.call('GET /api/events', undefined, { payloadAsStream: true })
  const readMetrics = async () => (await visitor('GET /metrics', undefined, METRICS_ACCESS)).body.split('\n')
  const lines = await readMetrics()
  expect(lines).toEqual(
    expect.arrayContaining([
      'sought_refusals_total{code="item_not_found"} 1',
      'sought_refusals_total{code="not_found"} 1',
      'sought_refusals_total{code="internal"} 0',
      'sought_activity_total{activity="sign_up"} 1',
      'sought_activity_total{activity="offer"} 0',
      'sought_database_connections{state="waiting"} 0',
      'sought_ready 1',
      'sought_streams 1',
      expect.stringMatching(/^sought_oldest_query_seconds [\d.e-]+$/),
    ]),
  )
  services.events.drain()
  expect(await readMetrics()).toContain('sought_streams 0')
})
