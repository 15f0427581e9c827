import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../core/clock.ts'
import { refusalCodeOf } from '../http/answer-error.ts'
import { openDatabase as createDatabase } from '../testing/world.ts'
import { isUnavailable, openDatabase } from './database.ts'

/** More than the number of connections in the pool. */
const LOSSES = 25

test('connections that break when a transaction begins are returned to the pool', async () => {
  const url = await createDatabase()
  const database = openDatabase(url, systemClock, () => {})
  onTestFinished(() => database.close())
  let breaks = LOSSES
  // Simulates an immediate stop of PostgreSQL: the pool does not know yet that the connection is gone.
  database.pool.on('acquire', (client) => {
    if (breaks-- > 0) void (client as unknown as { end(): Promise<void> }).end().catch(() => {})
  })
  for (let loss = 0; loss < LOSSES; loss++) {
    await expect(database.transact((tx) => tx.execute('select 1'))).rejects.toThrow()
  }
  const { rows } = await database.transact((tx) => tx.execute('select 1 as one'))
  expect(rows).toEqual([{ one: 1 }])
})

test('a connection to a server that has become a replica is replaced', async () => {
  const database = openDatabase(await createDatabase(), systemClock, () => {})
  onTestFinished(() => database.close())
  const processId = async () =>
    (await database.transact((tx) => tx.execute('select pg_backend_pid() as id'))).rows[0]?.id
  const first = await processId()
  expect(await processId()).toBe(first)
  const write = database.transact(async (tx) => {
    await tx.execute('set transaction read only')
    await tx.execute('create table written ()')
  })
  expect(isUnavailable(await write.catch((error: unknown) => error))).toBe(true)
  expect(await processId()).not.toBe(first)
})

test('a statement that takes too long is answered as unavailable and stores nothing', async () => {
  const database = openDatabase(await createDatabase(), systemClock, () => {})
  onTestFinished(() => database.close())
  const write = database.transact(async (tx) => {
    await tx.execute('create table written ()')
    await tx.execute("set local statement_timeout = '20ms'")
    await tx.execute('select pg_sleep(10)')
  })
  expect(refusalCodeOf(await write.catch((error: unknown) => error))).toBe('unavailable')
  const { rows } = await database.transact((tx) => tx.execute("select to_regclass('written') as name"))
  expect(rows).toEqual([{ name: null }])
})

test('waiting too long for a lock is answered as unavailable', async () => {
  const database = openDatabase(await createDatabase(), systemClock, () => {}, { statementTimeoutMs: 150 })
  onTestFinished(() => database.close())
  await database.transact(async (tx) => {
    await tx.execute('lock table users in access exclusive mode')
    const blocked = await database.read.execute('select from users').catch((error: unknown) => error)
    expect(blocked).toMatchObject({ cause: { code: '55P03' } })
    expect(refusalCodeOf(blocked)).toBe('unavailable')
  })
})

test('a client that gets no answer from the database counts as an outage', async () => {
  const client = new pg.Client({ connectionString: await createDatabase(), query_timeout: 20 })
  client.on('error', () => {})
  onTestFinished(() => client.end())
  await client.connect()
  const late = await client.query('select pg_sleep(0.3)').catch((error: unknown) => error)
  expect(late).toMatchObject({ message: 'Query read timeout' })
  expect(refusalCodeOf(late)).toBe('unavailable')
})
