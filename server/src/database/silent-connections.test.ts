import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../core/clock.ts'
import { eventually } from '../testing/eventually.ts'
import { openTcpProxy } from '../testing/tcp-proxy.ts'
import { openDatabase as createDatabase } from '../testing/world.ts'
import { isUnavailable, openDatabase } from './database.ts'
import { createMarketReader } from './market-settings.ts'

const SILENCE_MS = 1_000

/** A database behind a proxy, with two open connections. */
async function openBehindProxy() {
  const proxy = await openTcpProxy(await createDatabase())
  onTestFinished(proxy.close)
  const warnings: string[] = []
  const database = openDatabase(proxy.url, systemClock, ({ message }) => warnings.push(message), {
    silenceMs: SILENCE_MS,
  })
  onTestFinished(database.close)
  const { pool } = database
  await Promise.all([pool.query('select pg_sleep(0.05)'), pool.query('select pg_sleep(0.05)')])
  return { ...database, proxy, warnings }
}

test('statements on silent connections fail as an outage, and the next ones get new connections', async () => {
  const { pool, proxy, warnings, oldestStatementMs } = await openBehindProxy()
  proxy.begin('freeze', { openOnly: true })
  const startMs = performance.now()
  const stuck = await Promise.allSettled([pool.query('select 1'), pool.query('select 1')])
  for (const { status, ...rest } of stuck) {
    expect(status).toBe('rejected')
    expect(isUnavailable('reason' in rest && rest.reason)).toBe(true)
  }
  expect(performance.now() - startMs).toBeGreaterThanOrEqual(SILENCE_MS - 1)
  expect(warnings).toContain('a connection to the database was silent for 1 s')
  expect(oldestStatementMs()).toBe(0)
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  expect(pool.totalCount).toBe(1)
})

test('a transaction on a silent connection is rolled back, and its rollback does not wait', async () => {
  const { transact, pool, proxy } = await openBehindProxy()
  let stuckMs = 0
  const stuck = transact(async (tx) => {
    await tx.execute("update installation set events_read_until = '2026-01-01'")
    proxy.begin('freeze', { openOnly: true })
    stuckMs = performance.now()
    await tx.execute('select 1')
  })
  await expect(stuck).rejects.toSatisfy(isUnavailable)
  expect(performance.now() - stuckMs).toBeLessThan(10 * SILENCE_MS)
  proxy.end()
  const { rows } = await pool.query('select events_read_until as until from installation')
  expect(rows).toEqual([{ until: null }])
})

test('the oldest running statement is measured from its start until its answer', async () => {
  const { pool, oldestStatementMs, isSilent } = await openBehindProxy()
  expect(oldestStatementMs()).toBe(0)
  const running = pool.query('select pg_sleep(0.1)')
  await pool.query('select pg_sleep(0.02)')
  expect(oldestStatementMs()).toBeGreaterThan(15)
  expect(isSilent()).toBe(false)
  await running
  expect(oldestStatementMs()).toBe(0)
  // A statement that fails has been answered too. The pool closes its connection.
  await expect(pool.query('select 1 / 0')).rejects.toThrow('division by zero')
  await eventually(() => expect(oldestStatementMs()).toBe(0))
})

test('every request gets the last known settings of the market while they cannot be read', {
  tags: ['proof'],
}, async () => {
  const { read, pool, proxy } = await openBehindProxy()
  let nowMs = 0
  const market = createMarketReader(read, systemClock, 'usd', () => nowMs)
  expect((await market.read()).name).toBe('Sought')
  await pool.query(`insert into market_settings (settings) values ('{"name":"Moon"}')`)
  proxy.begin('freeze')
  nowMs += 3_000
  expect((await market.read()).name).toBe('Sought')
  proxy.end()
  nowMs += 3_000
  await eventually(async () => expect((await market.read()).name).toBe('Moon'))
})
