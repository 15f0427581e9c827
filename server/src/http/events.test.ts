import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createLog } from '../core/log.ts'
import { recordPresence } from '../features/users/presence.ts'
import { eventually } from '../testing/eventually.ts'
import { openDatabase, openWorld, type Person, shareWorld, type World } from '../testing/world.ts'
import { createEvents } from './events.ts'

const lamp = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh', maxBudget: 50 }

/** Once it listens, the connection sends only heartbeats. */
const LISTENING = `select from pg_stat_activity where application_name = 'sought events'
  and datname = current_database() and (query like 'listen%' or query = 'select 1') and state = 'idle'`

async function startServer({ app }: Pick<World, 'app'>): Promise<void> {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
}

/** Opens a user's event stream and collects its events. */
async function listen({ app, sql }: World, person: Person) {
  // Announcements are lost while the server does not listen. Once it does, every stream is told to fetch everything.
  await eventually(async () => expect((await sql.query(LISTENING)).rowCount).toBeGreaterThan(0))
  await startServer({ app })
  const { port } = app.server.address() as { port: number }
  const hangUp = new AbortController()
  const response = await fetch(`http://127.0.0.1:${port}/api/events`, {
    headers: { cookie: person.cookie },
    signal: hangUp.signal,
  })
  onTestFinished(() => hangUp.abort())
  const said: string[] = []
  let heartbeats = 0
  let ended = false
  const reading = (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      const text = decoder.decode(chunk)
      said.push(...[...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? '').about))
      heartbeats += [...text.matchAll(/^:$/gm)].length
    }
  })()
  reading
    .catch(() => {})
    .finally(() => {
      ended = true
    })
  return { response, said, heartbeats: () => heartbeats, hasEnded: () => ended }
}

const shared = shareWorld()

async function openMarket(world = shared()) {
  const [ada, bob, eve] = [await world.signUp('Ada'), await world.signUp('Bob'), await world.signUp('Eve')]
  const { id } = (await ada.call('POST /api/wanted-items', lamp)).json()
  return { world, ada, bob, eve, id }
}

test('messages and offers are announced within a second, only to the two users involved', async () => {
  const { world, ada, bob, eve, id } = await openMarket()
  const [adas, bobs, eves] = [await listen(world, ada), await listen(world, bob), await listen(world, eve)]
  expect(adas.response.headers.get('content-type')).toBe('text/event-stream')
  await eventually(() => expect(adas.said.length).toBeGreaterThan(0))
  await bob.call('POST /api/messages', { content: 'Hello', wantedItemId: id, receiverId: ada.id })
  await eventually(() => expect(adas.said).toContain('messages'))
  await eventually(() => expect(bobs.said).toContain('messages'))
  await bob.call('POST /api/offers', { wantedItemId: id, receiverId: ada.id, amount: 4000 })
  await eventually(() => expect(adas.said).toContain('offers'))
  expect(eves.said.filter((about) => about !== 'everything')).toEqual([])
})

test('offer answers and read receipts are announced to the users involved', async () => {
  const { world, ada, bob, eve, id } = await openMarket()
  const [bobs, eves] = [await listen(world, bob), await listen(world, eve)]
  const expected: string[] = []
  const expectAnnounced = async (...subjects: string[]) => {
    expected.push(...subjects)
    await eventually(() => expect(bobs.said).toEqual(expected))
  }
  await expectAnnounced('everything')
  const { id: offerId } = (
    await bob.call('POST /api/offers', { wantedItemId: id, receiverId: ada.id, amount: 4000 })
  ).json()
  await expectAnnounced('offers')
  await bob.call('POST /api/messages', { content: 'Hello', wantedItemId: id, receiverId: ada.id })
  await expectAnnounced('messages')
  await ada.call('PATCH /api/messages/mark-read', { wantedItemId: id })
  await expectAnnounced('messages')
  await ada.call(`POST /api/offers/${offerId}/counter`, { amount: 3000 })
  await expectAnnounced('offers', 'notifications')
  await ada.call(`PATCH /api/offers/${offerId}/accept`)
  await expectAnnounced('offers', 'notifications')
  await eventually(() => expect(eves.said).toEqual(['everything']))
})

test('with a hundred open streams, announcements reach the right ones within a second', {
  tags: ['proof'],
}, async () => {
  const world = shared()
  const names = ['Ada', 'Bob', 'Cai', 'Dee', 'Eli', 'Fay', 'Gus', 'Hal', 'Ida', 'Jon']
  const people = await Promise.all(names.map((name) => world.signUp(name)))
  const [ada, bob] = [people[0] as Person, people[1] as Person]
  const { id } = (await ada.call('POST /api/wanted-items', lamp)).json()
  await startServer(world)
  const streams = await Promise.all(
    people.flatMap((person) =>
      Array.from({ length: 10 }, async () => ({ person, ...(await listen(world, person)) })),
    ),
  )
  await eventually(() => expect(streams.every(({ said }) => said.length === 1)).toBe(true))
  await bob.call('POST /api/messages', { content: 'Hello', wantedItemId: id, receiverId: ada.id })
  const concerned = streams.filter(({ person }) => person === ada || person === bob)
  expect(concerned).toHaveLength(20)
  await eventually(() => expect(concerned.every(({ said }) => said.includes('messages'))).toBe(true))
  const others = streams.filter(({ person }) => person !== ada && person !== bob)
  expect(others.flatMap(({ said }) => said)).toEqual(Array(80).fill('everything'))
})

test('refused actions are not announced', async () => {
  const { world, ada, bob, id } = await openMarket()
  const stream = await listen(world, ada)
  await bob.call('POST /api/offers', { wantedItemId: id, receiverId: ada.id, amount: 999_999 })
  await bob.call('POST /api/messages', { content: 'Now', wantedItemId: id, receiverId: ada.id })
  await eventually(() => expect(stream.said).toContain('messages'))
  expect(stream.said).not.toContain('offers')
})

test('a stream is logged when it opens, and ends as soon as its session ends', async () => {
  const lines: string[] = []
  const world = await openWorld({ LOG_LEVEL: 'info' }, (line) => lines.push(line))
  const [ada, bob] = [await world.signUp('Ada'), await world.signUp('Bob')]
  const [adas, bobs] = [await listen(world, ada), await listen(world, bob)]
  await eventually(() => expect(adas.said.length).toBeGreaterThan(0))
  const requests = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
  const opened = requests.find(({ reqId }) => reqId === adas.response.headers.get('x-request-id'))
  expect(opened).toMatchObject({ method: 'GET', route: '/api/events', status: 200, ms: expect.any(Number) })
  expect(opened).not.toHaveProperty('aborted')
  await ada.call('GET /api/logout')
  await eventually(() => expect(adas.hasEnded()).toBe(true))
  expect(bobs.hasEnded()).toBe(false)
})

test('a heartbeat every 15 seconds ends the streams of expired sessions', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { world, ada } = await openMarket(await openWorld())
  const stream = await listen(world, ada)
  await eventually(() => expect(stream.said).toEqual(['everything']))
  expect(stream.heartbeats()).toBe(0)
  vi.advanceTimersByTime(15_000)
  await eventually(() => expect(stream.heartbeats()).toBe(1))
  world.advanceClock(31 * 86_400_000)
  vi.advanceTimersByTime(15_000)
  await eventually(() => expect(stream.hasEnded()).toBe(true))
})

test('a stream that opens during a heartbeat stays open', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { promise: noSessions, resolve: answer } = Promise.withResolvers<Set<string>>()
  const owners = {
    findLiveSessions: () => noSessions,
    recordPresence: async () => {},
    awaitChanges: () => {},
  }
  const events = createEvents(await openDatabase(), owners, createLog({ level: 'silent' }))
  events.start()
  onTestFinished(() => events.stop())
  const open = (sid: string) => {
    const response = new ServerResponse(new IncomingMessage(new Socket()))
    events.open('ada', sid, () => response)
    return response
  }
  const expired = open('expired')
  vi.advanceTimersByTime(15_000)
  const opened = open('new')
  answer(new Set())
  await eventually(() => expect(expired.writableEnded).toBe(true))
  expect(opened.writableEnded).toBe(false)
})

test('an announcement right after the end of a session does no harm', async () => {
  const { world, ada, bob } = await openMarket()
  const [adas, bobs] = [await listen(world, ada), await listen(world, bob)]
  await eventually(() => expect(bobs.said.length).toBeGreaterThan(0))
  await eventually(() => expect(adas.said.length).toBeGreaterThan(0))
  const news = JSON.stringify({ to: [ada.id, bob.id], change: { about: 'messages' } })
  await world.sql.query(
    `begin; delete from sessions where sess ->> 'userId' = '${ada.id}'; select announce('changes', '${news}'); commit`,
  )
  await eventually(() => expect(bobs.said).toContain('messages'))
  await eventually(() => expect(adas.hasEnded()).toBe(true))
  expect(adas.said).not.toContain('messages')
})

test('a listener that loses its connection reconnects and tells all clients to refetch', async () => {
  const { world, ada, bob, id } = await openMarket()
  const stream = await listen(world, ada)
  await eventually(() => expect(stream.said.length).toBeGreaterThan(0))
  const before = stream.said.length
  await world.sql.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'sought events' and datname = current_database()",
  )
  await eventually(() => expect(stream.said.slice(before)).toContain('everything'))
  await bob.call('POST /api/messages', { content: 'Hello', wantedItemId: id, receiverId: ada.id })
  await eventually(() => expect(stream.said).toContain('messages'))
})

test('presence stores when a user was last seen', async () => {
  const { services, signUp, sql } = await openWorld()
  const { id } = await signUp('Ada')
  for (const at of ['2030-01-01T10:00:00Z', '2030-01-01T10:15:00Z']) {
    await recordPresence(services.database.read, [id, 'nobody'], new Date(at))
    expect((await sql.query('select seen_at from presence')).rows).toEqual([{ seen_at: new Date(at) }])
  }
})

test('a user can open at most ten streams, a visitor none', async () => {
  const { world, ada } = await openMarket()
  for (let number = 1; number <= 10; number++) expect((await listen(world, ada)).response.status).toBe(200)
  expect((await listen(world, ada)).response.status).toBe(429)
  expect((await world.visitor('GET /api/events')).statusCode).toBe(401)
})
