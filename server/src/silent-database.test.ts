import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { eventually } from './testing/eventually.ts'
import { startProcess } from './testing/start-process.ts'
import { openTcpProxy } from './testing/tcp-proxy.ts'
import { openDatabase } from './testing/world.ts'

const RECOVERED_WITHIN_MS = 30_000
const TOLD_WITHIN_MS = 15_000

test('connections that go silent are replaced within half a minute, and /readyz says so meanwhile', {
  tags: ['proof'],
  timeout: 180_000,
}, async () => {
  const databaseUrl = await openDatabase()
  const proxy = await openTcpProxy(databaseUrl)
  onTestFinished(proxy.close)
  const { address, process } = await startProcess({
    DATABASE_URL: proxy.url,
    ESCROW_SWEEP_SECONDS: '1',
    LOAD_SHEDDING: 'on',
  })
  const statusOf = async (path: string) =>
    (await fetch(address + path, { signal: AbortSignal.timeout(RECOVERED_WITHIN_MS) }).catch(() => null))
      ?.status
  await eventually(async () => expect(await statusOf('/readyz')).toBe(200))
  const sql = new pg.Pool({ connectionString: databaseUrl })
  onTestFinished(() => sql.end())

  const paths = [
    '/api/wanted-items',
    ...Array.from({ length: 40 }, (_, page) => `/api/wanted-items?limit=${page + 1}`),
  ]
  const visit = () => Promise.all(paths.map(statusOf))
  expect(new Set(await visit())).toEqual(new Set([200]))
  expect(proxy.countConnections()).toBeGreaterThanOrEqual(20)

  proxy.begin('freeze', { openOnly: true })
  const frozenMs = performance.now()
  const sinceMs = () => performance.now() - frozenMs
  const during = visit()
  await eventually(async () => expect(await statusOf('/readyz')).toBe(503))
  expect(sinceMs()).toBeLessThan(TOLD_WITHIN_MS)
  expect(await statusOf('/healthz')).toBe(200)

  await eventually(async () => expect(await statusOf('/readyz')).toBe(200))
  await eventually(async () => expect(new Set(await visit())).toEqual(new Set([200])))
  expect(sinceMs()).toBeLessThan(RECOVERED_WITHIN_MS)
  for (const status of await during) expect([200, 503]).toContain(status)
  const added = await sql.query(
    `select (graphile_worker.add_job('send-mail', payload := '{"mailIds":[]}')).id`,
  )
  await eventually(async () => {
    const left = await sql.query('select from graphile_worker.jobs where id = $1', [added.rows[0].id])
    expect(left.rowCount).toBe(0)
  })
  expect(process.exitCode).toBe(null)
})
