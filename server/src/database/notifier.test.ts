import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../core/clock.ts'
import { createLog } from '../core/log.ts'
import { announce } from '../http/events.ts'
import { enqueueAll } from '../runtime/jobs.ts'
import { eventually } from '../testing/eventually.ts'
import { openFakePooler } from '../testing/fake-pooler.ts'
import { openDatabase as createDatabase } from '../testing/world.ts'
import { openDatabase } from './database.ts'
import { createNotifier, type Notifier } from './notifier.ts'

/** `heard` collects what other processes hear. */
async function open() {
  const url = await createDatabase()
  const database = openDatabase(url, systemClock, () => {})
  const listener = new pg.Client({ connectionString: url })
  await listener.connect()
  onTestFinished(async () => {
    await listener.end()
    await database.close()
  })
  const heard: string[] = []
  listener.on('notification', ({ channel, payload }) => heard.push(`${channel} ${payload}`))
  await listener.query('listen changes; listen "jobs:insert"')
  const startNotifier = (directUrl = url): Notifier => {
    const notifier = createNotifier(database.pool, directUrl, createLog({ level: 'silent' }))
    notifier.start()
    onTestFinished(() => notifier.stop())
    return notifier
  }
  const { pool, transact } = database
  return {
    pool,
    transact,
    heard,
    startNotifier,
    tell: (userId: string) => transact((tx) => announce(tx, [userId], { about: 'messages' })),
    /** Another process has the lease since `secondsAgo`, and has passed on everything until now. */
    giveLease: (secondsAgo: number) =>
      pool.query(
        `update installation set notifier = 'other', notified_at = now() - $1 * interval '1 second',
           notified_until = pg_current_snapshot()::text`,
        [secondsAgo],
      ),
    isNotified: () =>
      eventually(async () => {
        const { rowCount } = await pool.query(
          "select from installation where notified_at > now() - interval '1 second'",
        )
        expect(rowCount).toBe(1)
      }),
    /** Waits until everything that was sent before has arrived. */
    async settle() {
      await pool.query("select pg_notify('changes', 'end')")
      await eventually(() => expect(heard.at(-1)).toBe('changes end'))
      return heard.splice(0).slice(0, -1)
    },
  }
}

const told = (userId: string) => `changes {"to":["${userId}"],"change":{"about":"messages"}}`

test('a commit only stores its announcements and those of its jobs', async () => {
  const { pool, tell, transact, giveLease, settle } = await open()
  await giveLease(0)
  await tell('ada')
  await transact((tx) =>
    enqueueAll(tx, 'fetch-picture', [{ payload: { itemId: 1 } }, { payload: { itemId: 2 } }]),
  )
  const { rows } = await pool.query('select channel, payload from announcements order by id')
  expect(rows).toEqual([
    { channel: 'changes', payload: '{"to":["ada"],"change":{"about":"messages"}}' },
    { channel: 'jobs:insert', payload: expect.stringContaining('"count":2') },
  ])
  expect(await settle()).toEqual([])
})

test('a commit notifies by itself while only processes of the previous release run', async () => {
  const { tell, giveLease, settle } = await open()
  await tell('ada')
  expect(await settle()).toEqual([told('ada')])
  await giveLease(11)
  await tell('bob')
  expect(await settle()).toEqual([told('bob')])
})

test('announcements are passed on after their commit, each once, whatever the order of the transactions', async () => {
  const { tell, transact, startNotifier, isNotified, heard, settle } = await open()
  startNotifier()
  await isNotified()
  const { promise: second, resolve: secondIsDone } = Promise.withResolvers<void>()
  const slow = transact(async (tx) => {
    await announce(tx, ['ada'], { about: 'messages' })
    await second
  })
  await tell('bob')
  await eventually(() => expect(heard).toEqual([told('bob')]))
  secondIsDone()
  await slow
  await tell('cai')
  await eventually(() => expect(heard).toEqual([told('bob'), told('ada'), told('cai')]))
  expect(await settle()).toEqual([told('bob'), told('ada'), told('cai')])
})

test('the jobs of several commits wake workers once, for all of them', async () => {
  const { transact, tell, giveLease, startNotifier, heard } = await open()
  await giveLease(0)
  for (const itemId of [1, 2, 3])
    await transact((tx) => enqueueAll(tx, 'fetch-picture', [{ payload: { itemId } }]))
  await tell('ada')
  startNotifier()
  await eventually(() => expect(heard).toEqual([told('ada'), 'jobs:insert {"count":3}']))
})

test('another process takes over when the notifier has died, and passes on what it did not', async () => {
  const { tell, giveLease, startNotifier, heard } = await open()
  await giveLease(0)
  await tell('ada')
  startNotifier()
  expect(heard).toEqual([])
  await eventually(() => expect(heard).toEqual([told('ada')]))
})

test('a notifier that stops leaves the work to another one at once', async () => {
  const { pool, tell, startNotifier, isNotified, heard } = await open()
  const first = startNotifier()
  await isNotified()
  startNotifier()
  await first.stop()
  expect((await pool.query('select notifier from installation')).rows).toEqual([{ notifier: null }])
  await tell('ada')
  await isNotified()
  await tell('bob')
  await eventually(() => expect([...new Set(heard)]).toEqual([told('ada'), told('bob')]))
})

test('a notifier that lost its lease stops', async () => {
  const { pool, giveLease, startNotifier, isNotified } = await open()
  const countConnections = async () =>
    (
      await pool.query(
        `select from pg_stat_activity where datname = current_database() and application_name = 'sought notifier'`,
      )
    ).rowCount
  startNotifier()
  await isNotified()
  expect(await countConnections()).toBe(1)
  await giveLease(-60)
  await eventually(async () => expect(await countConnections()).toBe(0))
})

test('a notifier that loses its connection continues where it was', async () => {
  const { pool, tell, startNotifier, isNotified, heard } = await open()
  startNotifier()
  await isNotified()
  await pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'sought notifier'`,
  )
  await tell('ada')
  await eventually(() => expect(heard).toContain(told('ada')))
})

test('positions and announcements of another server are ignored', async () => {
  const { pool, tell, startNotifier, isNotified, heard, settle } = await open()
  await pool.query(`update installation set notified_at = null, notified_until = '9999999:9999999:'`)
  await pool.query(
    `insert into announcements (transaction_id, channel, payload) values ('8888888', 'changes', 'old')`,
  )
  startNotifier()
  await isNotified()
  await tell('ada')
  await eventually(() => expect(heard).toEqual([told('ada')]))
  expect(await settle()).toEqual([told('ada')])
})

test('the notifier works behind a pooler, and deletes announcements after five minutes', async () => {
  const { pool, tell, startNotifier, isNotified, heard } = await open()
  await pool.query(
    `insert into announcements (channel, payload, created_at) values ('changes', 'old', now() - interval '301 seconds')`,
  )
  startNotifier(await openFakePooler(pool.options.connectionString ?? ''))
  await isNotified()
  await tell('ada')
  await eventually(() => expect(heard).toEqual([told('ada')]))
  expect((await pool.query('select payload from announcements')).rows).not.toContainEqual({ payload: 'old' })
})
