import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../core/clock.ts'
import { eventually } from '../testing/eventually.ts'
import { type Caller, openDatabase as createDatabase, openWorld, type World } from '../testing/world.ts'
import { openDatabase, openPool } from './database.ts'
import { startTestPostgres, startTestReplica } from './embedded-postgres/embedded-postgres.ts'
import { migrate } from './migrate.ts'
import { createReplicas } from './replicas.ts'

type TestPostgres = Awaited<ReturnType<typeof startTestPostgres>>

let primary: TestPostgres
let replica: TestPostgres
let primarySql: pg.Pool
let replicaSql: pg.Pool

beforeAll(async () => {
  primary = await startTestPostgres({ inMemory: true })
  await migrate(primary.url)
  replica = await startTestReplica(primary)
  primarySql = new pg.Pool({ connectionString: primary.url })
  replicaSql = new pg.Pool({ connectionString: replica.url })
  replicaSql.on('error', () => {})
})

afterAll(async () => {
  await primarySql?.end()
  if (!replicaSql?.ended) await replicaSql?.end()
  await replica?.stop()
  await primary?.stop()
})

const SESSION_SECRET = 'the same in all processes'
const openServer = () =>
  openWorld({ DATABASE_URL: primary.url, DATABASE_REPLICA_URLS: replica.url, SESSION_SECRET })

/** The replica gets no further changes until the end of the test. */
async function stopReplica() {
  await replicaSql.query('select pg_wal_replay_pause()')
  await eventually(async () => {
    // It stops at the next change or after a few seconds.
    await primarySql.query("select pg_logical_emit_message(true, 'test', 'stop')")
    const { rows } = await replicaSql.query('select pg_get_wal_replay_pause_state() as state')
    expect(rows).toEqual([{ state: 'paused' }])
  })
  const resume = () => replicaSql.query('select pg_wal_replay_resume()')
  onTestFinished(async () => void (await resume()))
  return resume
}

const lamp = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh', maxBudget: 50 }

async function titlesFor(call: Caller): Promise<string[]> {
  const reply = await call('GET /api/wanted-items')
  return reply.json().map(({ title }: { title: string }) => title)
}

/** Waits until visitors read from the replica. Only the replica has this title. */
async function waitForReplica(world: World, title: string) {
  const poster = await world.signUp(`Poster${title}`)
  await poster.call('POST /api/wanted-items', { ...lamp, title })
  await eventually(async () => expect(await titlesFor(world.visitor)).toContain(title))
}

test('visitors read from the replica, and users see their own writes in every session and process', {
  tags: ['proof'],
}, async () => {
  const [one, other] = [await openServer(), await openServer()]
  const [ada, bob] = [await one.signUp('Ada'), await one.signUp('Bob')]
  await waitForReplica(one, 'Before')
  const resume = await stopReplica()
  // Positions are polled twice a second. After this, the server knows that the replica lacks later changes.
  await eventually(async () => {
    await ada.call('POST /api/wanted-items', { ...lamp, title: 'Hidden' })
    expect(await titlesFor(one.visitor)).not.toContain('Hidden')
    expect(await titlesFor(other.visitor)).not.toContain('Hidden')
  })
  const { id } = (await ada.call('POST /api/wanted-items', { ...lamp, title: 'Own' })).json()
  expect(await titlesFor(ada.call)).toContain('Own')
  const adaElsewhere: Caller = (call, body) => other.visitor(call, body, { headers: { cookie: ada.cookie } })
  expect(await titlesFor(adaElsewhere)).toContain('Own')
  expect(await titlesFor(one.visitor)).not.toContain('Own')
  expect(await titlesFor(bob.call)).not.toContain('Own')
  // Rows that the replica does not have are read from the primary.
  expect((await other.visitor(`GET /api/wanted-items/${id}`)).json()).toMatchObject({ title: 'Own' })
  expect((await other.visitor('GET /api/wanted-items/999999')).statusCode).toBe(404)

  // Users who are told of a change can read it.
  other.services.events.start()
  const bobElsewhere: Caller = (call, body) => other.visitor(call, body, { headers: { cookie: bob.cookie } })
  await eventually(async () => {
    await ada.call('POST /api/messages', { content: 'Look', wantedItemId: id, receiverId: bob.id })
    expect(await titlesFor(bobElsewhere)).toContain('Own')
  })

  await resume()
  await eventually(async () => expect(await titlesFor(one.visitor)).toContain('Own'))
})

test('a replica that is far behind is not used', { tags: ['proof'] }, async () => {
  const database = openDatabase(primary.url, systemClock, () => {})
  const [pool, STALE_MAX_MS] = [openPool(replica.url, () => {}), 2_000]
  const replicas = createReplicas(database.read, [pool], () => {}, STALE_MAX_MS)
  onTestFinished(async () => {
    await replicas.close()
    await database.close()
  })
  const isReplica = () => replicas.read(null, async (db) => db !== database.read)
  await eventually(async () => expect(await isReplica()).toBe(true))
  const resume = await stopReplica()
  await database.pool.query('create table is_behind ()')
  expect(await isReplica()).toBe(true)
  await eventually(async () => expect(await isReplica()).toBe(false))
  await resume()
  await eventually(async () => expect(await isReplica()).toBe(true))
})

test('a server with another database is never used, and this is logged', { tags: ['proof'] }, async () => {
  const lines: string[] = []
  const env = { DATABASE_REPLICA_URLS: await createDatabase(), LOG_LEVEL: 'error' }
  const world = await openWorld(env, (line) => lines.push(line))
  await eventually(() => expect(lines.join()).toMatch('server 1 of the list is no replica of DATABASE_URL'))
  await waitForReplica(world, 'Here')
})

test('the server reads from the primary while its replica is down', { tags: ['proof'] }, async () => {
  const world = await openServer()
  await waitForReplica(world, 'Running')
  await replicaSql.end()
  await replica.stop()
  const eve = await world.signUp('Eve')
  await eve.call('POST /api/wanted-items', { ...lamp, title: 'Alone' })
  expect((await world.visitor('GET /api/wanted-items')).statusCode).toBe(200)
  await eventually(async () => expect(await titlesFor(world.visitor)).toContain('Alone'))
})
