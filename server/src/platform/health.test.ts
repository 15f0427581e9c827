import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { eventually } from '../testing/eventually.ts'
import { openWorld, shareWorld } from '../testing/world.ts'
import { createRequestTimes } from './request-times.ts'

const world = shareWorld()

test('/healthz and /readyz report a running, ready server', async () => {
  const { visitor } = world()
  expect((await visitor('GET /healthz')).json()).toEqual({ ok: true })
  expect((await visitor('GET /readyz')).json()).toEqual({ ok: true })
})

describe('metrics', () => {
  test('count requests by method, route and status', async () => {
    const { visitor } = await openWorld()
    await visitor('GET /api/wanted-items/1')
    await visitor('GET /api/wanted-items/2')
    await visitor('GET /api/categories')
    await visitor('GET /api/nothing-here?at=all')
    const { body, headers } = await visitor('GET /metrics')
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

  test('can be read from this machine or with the token', async () => {
    const { visitor } = await openWorld({ METRICS_TOKEN: 'a metrics token of some length' })
    const read = async (headers: Record<string, string>, remoteAddress = '127.0.0.1') =>
      (await visitor('GET /metrics', undefined, { headers, remoteAddress })).statusCode
    expect(await read({})).toBe(200)
    expect(await read({}, '203.0.113.9')).toBe(404)
    expect(await read({ 'x-forwarded-for': '127.0.0.1' })).toBe(404)
    expect(await read({ authorization: 'Bearer a metrics token of some length' }, '203.0.113.9')).toBe(200)
    expect(await read({ authorization: 'Bearer another metrics token of len' }, '203.0.113.9')).toBe(404)
  })
})

test('request times are written as a Prometheus histogram', () => {
  const times = createRequestTimes()
  for (const seconds of [0.001, 0.002, 0.0021, 0.3, 7]) times.observe('GET', '/a"b\\c', 200, seconds)
  expect(times.text()).toBe(`# HELP http_request_duration_seconds Request duration by route and status
# TYPE http_request_duration_seconds histogram
http_request_duration_seconds_bucket{le="0.002",method="GET",route="/a\\"b\\\\c",status="200"} 2
http_request_duration_seconds_bucket{le="0.005",method="GET",route="/a\\"b\\\\c",status="200"} 3
http_request_duration_seconds_bucket{le="0.01",method="GET",route="/a\\"b\\\\c",status="200"} 3
http_request_duration_seconds_bucket{le="0.025",method="GET",route="/a\\"b\\\\c",status="200"} 3
http_request_duration_seconds_bucket{le="0.05",method="GET",route="/a\\"b\\\\c",status="200"} 3
http_request_duration_seconds_bucket{le="0.1",method="GET",route="/a\\"b\\\\c",status="200"} 3
http_request_duration_seconds_bucket{le="0.25",method="GET",route="/a\\"b\\\\c",status="200"} 3
http_request_duration_seconds_bucket{le="0.5",method="GET",route="/a\\"b\\\\c",status="200"} 4
http_request_duration_seconds_bucket{le="1",method="GET",route="/a\\"b\\\\c",status="200"} 4
http_request_duration_seconds_bucket{le="2.5",method="GET",route="/a\\"b\\\\c",status="200"} 4
http_request_duration_seconds_bucket{le="+Inf",method="GET",route="/a\\"b\\\\c",status="200"} 5
http_request_duration_seconds_sum{method="GET",route="/a\\"b\\\\c",status="200"} 7.3051
http_request_duration_seconds_count{method="GET",route="/a\\"b\\\\c",status="200"} 5
`)
})

describe('an overloaded server', () => {
  test('refuses requests with Retry-After, and still answers health checks', async () => {
    const { services, visitor } = await openWorld({ LOAD_SHEDDING: 'on' })
    // Simulates a long queue for database connections.
    Object.defineProperty(services.database.pool, 'waitingCount', { value: 1_000, configurable: true })
    const reply = await visitor('GET /api/categories')
    expect(reply.statusCode).toBe(503)
    expect(reply.headers['retry-after']).toBe('1')
    expect(reply.json().code).toBe('unavailable')
    for (const path of ['/healthz', '/readyz', '/metrics'])
      expect((await visitor(`GET ${path}`)).statusCode, path).toBe(200)
    Object.defineProperty(services.database.pool, 'waitingCount', { value: 0 })
    expect((await visitor('GET /api/categories')).statusCode).toBe(200)
  })

  test('sheds load after two late timers in a row, but not after one', async () => {
    const { visitor } = await openWorld({ LOAD_SHEDDING: 'on' })
    const ask = async () => (await visitor('GET /api/categories')).statusCode
    pause(800)
    await wait(1)
    expect(await ask()).toBe(200)
    pause(800)
    await wait(1)
    expect(await ask()).toBe(503)
    await eventually(async () => expect(await ask()).toBe(200))
  })

  test('does not shed load with LOAD_SHEDDING=off', async () => {
    const { services, visitor } = await openWorld({ LOAD_SHEDDING: 'off' })
    Object.defineProperty(services.database.pool, 'waitingCount', { value: 1_000 })
    expect((await visitor('GET /api/categories')).statusCode).toBe(200)
  })
})

/** Blocks the event loop. */
function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
