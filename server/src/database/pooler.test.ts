import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../core/clock.ts'
import { createLog } from '../core/log.ts'
import { announce, createEvents } from '../http/events.ts'
import { createWorkerPool } from '../jobs/worker-pool.ts'
import { eventually } from '../testing/eventually.ts'
import { openFakePooler } from '../testing/fake-pooler.ts'
import { openDatabase as createDatabase } from '../testing/world.ts'
import { isUnavailable, openDatabase } from './database.ts'
import { checkDatabaseUrls } from './database-urls.ts'

function open(url: string, directUrl = url) {
  const database = openDatabase(url, systemClock, () => {}, { directUrl })
  onTestFinished(() => database.close())
  return database
}

const SETTINGS = sql`select current_setting('statement_timeout') as timeout, current_setting('jit') as jit`
const OURS = { timeout: '15s', jit: 'off' }

test('a direct connection has our settings and prepared statements', async () => {
  const { read, pool, transact } = open(await createDatabase())
  expect((await read.execute(SETTINGS)).rows).toEqual([OURS])
  expect((await transact((tx) => tx.execute(SETTINGS))).rows).toEqual([OURS])
  await pool.query({ name: 'one', text: 'select 1' })
  expect((await pool.query('select name from pg_prepared_statements')).rows).toEqual([{ name: 'one' }])
})

test('behind a pooler only transactions have our settings, and no statement stays prepared', async () => {
  const { read, pool, transact } = open(await openFakePooler(await createDatabase()))
  expect((await read.execute(SETTINGS)).rows).toEqual([{ timeout: '0', jit: 'on' }])
  expect((await transact((tx) => tx.execute(SETTINGS))).rows).toEqual([OURS])
  expect((await pool.query({ name: 'one', text: 'select $1::int as one', values: [1] })).rows).toEqual([
    { one: 1 },
  ])
  expect((await pool.query('select name from pg_prepared_statements')).rows).toEqual([])
})

test('workers listen only on a direct connection, never behind a pooler', async () => {
  const url = await createDatabase()
  const pooled = open(await openFakePooler(url))
  const asked: string[] = []
  createWorkerPool(pooled, { listens: true }).connect(() => asked.push('pooled'))
  await eventually(() => expect(pooled.pool.idleCount).toBe(1))

  const direct = open(await openFakePooler(url), url)
  createWorkerPool(direct, { listens: true }).connect((_, client, release) => {
    asked.push(client ? 'direct' : 'failed')
    release()
  })
  await eventually(() => expect(asked).toEqual(['direct']))
  expect(direct.pool.totalCount).toBe(0)

  createWorkerPool(direct, { listens: false }).connect(() => asked.push('not listening'))
  await direct.direct.query('select 1')
  expect(asked).toEqual(['direct'])
})

test('behind a pooler, changes and the end of a session are announced within a second', async () => {
  const url = await createDatabase()
  const pooled = await openFakePooler(url)
  const { pool, transact } = open(url)
  const owners = {
    findLiveSessions: async () => new Set(['kept']),
    recordPresence: async () => {},
    awaitChanges: () => {},
  }
  const events = createEvents(pooled, owners, createLog({ level: 'silent' }))
  events.start()
  onTestFinished(() => events.stop())
  const openStream = (userId: string, sid: string) => {
    const response = new ServerResponse(new IncomingMessage(new Socket()))
    const said: string[] = []
    response.write = (data: string) => said.push(data) > 0
    events.open(userId, sid, () => response)
    return { response, said }
  }
  const [ada, bob] = [openStream('ada', 'kept'), openStream('bob', 'ended')]
  // Once it reads announcements, every stream is told to fetch everything.
  await eventually(() => expect(ada.said.filter((line) => line.includes('everything'))).toHaveLength(2))
  const messages = 'data: {"about":"messages"}\n\n'

  await pool.query(`insert into sessions (sid, sess, expire) values ('ended', '{"userId": "bob"}', now())`)
  // The first transaction gets the lower id, but commits last.
  const { promise: second, resolve: secondIsDone } = Promise.withResolvers<void>()
  const slow = transact(async (tx) => {
    await announce(tx, ['ada'], { about: 'messages' })
    await second
  })
  await transact((tx) => announce(tx, ['bob'], { about: 'messages' }))
  await eventually(() => expect(bob.said).toContain(messages))
  expect(ada.said).not.toContain(messages)
  secondIsDone()
  await slow
  await eventually(() => expect(ada.said).toContain(messages))
  await pool.query(`delete from sessions where sid = 'ended'`)
  await eventually(() => expect(bob.response.writableEnded).toBe(true))
  expect([ada, bob].map(({ said }) => said.filter((line) => line === messages).length)).toEqual([1, 1])
})

test('URLs of different databases are refused, and a missing direct URL causes a warning', async () => {
  const [url, other] = [await createDatabase(), await createDatabase({ migrated: false })]
  const pooled = await openFakePooler(url)
  expect(await checkDatabaseUrls(url, url)).toBe(null)
  expect(await checkDatabaseUrls(pooled, url)).toBe(null)
  expect(await checkDatabaseUrls(pooled, pooled)).toMatch('DATABASE_DIRECT_URL is not set')
  expect(await checkDatabaseUrls(url, pooled)).toMatch('DATABASE_DIRECT_URL leads to a connection pooler')
  await expect(checkDatabaseUrls(pooled, other)).rejects.toThrow(
    'DATABASE_DIRECT_URL leads to another database than DATABASE_URL',
  )
})

test('the server waits for a pooler that lost its database, but not for a misconfigured one', () => {
  const poolerError = (message: string) => Object.assign(new Error(message), { code: '08P01' })
  for (const message of ['server conn crashed?', 'query_wait_timeout', 'the database system is starting up'])
    expect(isUnavailable(poolerError(message))).toBe(true)
  for (const message of [
    'unsupported startup parameter: statement_timeout',
    'no such database: sought',
    'no such user: sought',
    'password authentication failed',
    'server login failed: FATAL database "sought" does not exist',
  ])
    expect(isUnavailable(poolerError(message))).toBe(false)
})
