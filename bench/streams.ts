import { fork } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { Agent, createServer, get, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type {} from '@fastify/cookie'
import { sendMessage } from '@sought/contract/messages'
import { listenToEvents } from '@sought/contract/platform'
import { pino } from 'pino'
import { buildApp } from '../server/src/app.ts'
import { readConfig } from '../server/src/core/config.ts'
import { createServices } from '../server/src/create-services.ts'
import type { Database } from '../server/src/database/database.ts'
import { formatMs, type Row, report } from './measure.ts'

/*
 * Measures a thousand open event streams on one process: the time until a message reaches all streams of sender and
 * receiver, and the memory of a stream compared to one of a bare Node server. Each server runs in its own process,
 * so that only its memory is measured.
 */

const PEOPLE = 100
const STREAMS_EACH = 10
const WARM_UP = 5
const MESSAGES = 50
/** Limit from sending a message until the last stream received the event. */
const MAX_MS = 1_000
const TIMEOUT_MS = 10 * MAX_MS
const OPEN_BATCH = 50
/** Opened before the memory is measured, so that code and caches for the first streams do not count. */
const WARM_UP_STREAMS = 300
const MAX_MEMORY_RATIO = 1.5

const userIdOf = (n: number) => `stream${n}`
/** The person that person n writes to. */
const receiverOf = (n: number) => (n % PEOPLE) + 1

/** Each person has one request, and a session with their user id as its id. */
const PEOPLE_SQL = `
  with people as (
    insert into users (id, email, first_name, last_name)
    select 'stream' || n, 'stream' || n || '@example.com', 'Stream', 'Person ' || n from generate_series(1, $1::int) n
    returning id
  ), open_sessions as (
    insert into sessions (sid, sess, expire)
    select id, jsonb_build_object('userId', id, 'createdAt', now()), now() + interval '30 days' from people
  )
  insert into wanted_items (title, description, category, location, user_id)
  select 'A lamp', 'Green', 'Other', 'Ipoh', id from people
  returning id, user_id`

export async function measureStreams(database: Database, databaseUrl: string): Promise<boolean> {
  const { rows } = await database.pool.query<{ id: number; user_id: string }>(PEOPLE_SQL, [PEOPLE])
  const itemIdByUser = new Map(rows.map(({ id, user_id }) => [user_id, id]))
  const bare = await measureBareStreams()
  const server = await startServer(databaseUrl)
  const streams: Stream[] = []
  try {
    const full = await measureMemory(server, streams)
    const post = (n: number) => sendMessageToNext(server, n, itemIdByUser)
    const streamsOf = (n: number) =>
      streams.filter(({ userId }) => [userIdOf(n), userIdOf(receiverOf(n))].includes(userId))
    // The first messages are a warm-up.
    for (let n = 1; n <= WARM_UP; n++) await timeUntilReceived(streamsOf(n), 1, () => post(n))
    let slowest = 0
    for (let n = 1; n <= MESSAGES; n++) {
      slowest = Math.max(slowest, await timeUntilReceived(streamsOf(n), 1, () => post(n)))
    }
    // Everybody writes at once, so each stream receives two events: message sent and message received.
    const everybody = Array.from({ length: PEOPLE }, (_, at) => at + 1)
    const together = await timeUntilReceived(streams, 2, () => Promise.all(everybody.map(post)))
    const ratio = full.heapBytes / bare.heapBytes
    return report(
      `${streams.length.toLocaleString('en')} open streams of ${PEOPLE} people on one process`,
      ['', 'measured', 'limit'],
      [
        {
          cells: [
            'a message, until the last of 20 streams received it',
            formatMs(slowest),
            `below ${MAX_MS} ms`,
          ],
          ok: slowest < MAX_MS,
        },
        // For information only: this depends on the machine.
        toInfoRow(`${PEOPLE} messages at once, until the last stream received all`, formatMs(together)),
        toInfoRow('memory of a stream of a bare Node server, heap', formatKilobytes(bare.heapBytes)),
        toInfoRow('memory of a stream, heap', formatKilobytes(full.heapBytes)),
        {
          cells: ['ratio of the two', ratio.toFixed(2), `at most ${MAX_MEMORY_RATIO}`],
          ok: ratio <= MAX_MEMORY_RATIO,
        },
        // Includes memory that was allocated while the streams were opened.
        toInfoRow('memory of a stream, whole process', formatKilobytes(full.rssBytes)),
      ],
    )
  } finally {
    for (const stream of streams) stream.close()
    server.stop()
  }
}

async function measureBareStreams(): Promise<Memory> {
  const server = await startServer('bare')
  const streams: Stream[] = []
  try {
    return await measureMemory(server, streams)
  } finally {
    for (const stream of streams) stream.close()
    server.stop()
  }
}

/** Opens all streams and returns the memory of one. */
async function measureMemory(server: Server, streams: Stream[]): Promise<Memory> {
  const openUntil = async (count: number) => {
    while (streams.length < count) {
      const people = Array.from({ length: OPEN_BATCH }, (_, at) => 1 + ((streams.length + at) % PEOPLE))
      streams.push(...(await Promise.all(people.map((person) => openStream(server, person)))))
    }
  }
  await openUntil(WARM_UP_STREAMS)
  const before = await server.memory()
  await openUntil(PEOPLE * STREAMS_EACH)
  const after = await server.memory()
  const measured = streams.length - WARM_UP_STREAMS
  return {
    heapBytes: (after.heapBytes - before.heapBytes) / measured,
    rssBytes: (after.rssBytes - before.rssBytes) / measured,
  }
}

const toInfoRow = (title: string, figure: string): Row => ({ cells: [title, figure, '-'], ok: true })

const formatKilobytes = (bytes: number) => `${(bytes / 1024).toFixed(1)} kB`

interface Stream {
  userId: string
  /** Resolves after this many more message events. */
  receive(times: number): Promise<void>
  close(): void
}

const agent = new Agent({ keepAlive: true })

async function openStream({ port, cookies }: Started, n: number): Promise<Stream> {
  const asked = get({
    port,
    path: listenToEvents.path,
    headers: { cookie: cookies[n] },
    agent: false,
  })
  const [response]: IncomingMessage[] = await once(asked, 'response')
  if (response?.statusCode !== 200) throw new Error(`a stream was refused with ${response?.statusCode}`)
  let missing = 0
  let onReceived: () => void = () => {}
  response.setEncoding('utf8').on('data', (text: string) => {
    missing -= text.split('"messages"').length - 1
    if (missing <= 0) onReceived()
  })
  // Closing the stream at the end is not an error.
  response.on('error', () => {})
  return {
    userId: userIdOf(n),
    receive: (times) =>
      new Promise((resolve) => {
        missing = times
        onReceived = resolve
      }),
    close: () => asked.destroy(),
  }
}

/** Returns the time until each stream has received this many events. */
async function timeUntilReceived(
  streams: readonly Stream[],
  times: number,
  send: () => Promise<unknown>,
): Promise<number> {
  const heard = Promise.all(streams.map((stream) => stream.receive(times)))
  const began = performance.now()
  await send()
  await Promise.race([heard, wait(TIMEOUT_MS, undefined, { ref: false })])
  return performance.now() - began
}

/** Person n writes to the next person about their request. */
async function sendMessageToNext(
  { port, cookies }: Started,
  n: number,
  itemIdByUser: ReadonlyMap<string, number>,
) {
  const receiverId = userIdOf(receiverOf(n))
  const asked = request({
    port,
    agent,
    method: sendMessage.method,
    path: sendMessage.path,
    headers: { cookie: cookies[n], 'content-type': 'application/json' },
  })
  const wantedItemId = itemIdByUser.get(receiverId)
  asked.end(JSON.stringify({ content: 'Is it still wanted?', wantedItemId, receiverId }))
  const [response]: IncomingMessage[] = await once(asked, 'response')
  response?.resume()
  if (response?.statusCode !== 201) throw new Error(`a message was refused with ${response?.statusCode}`)
}

/** The message of the server process when it is ready. */
interface Started {
  port: string
  /** The session cookie of each person, by number. */
  cookies: (string | undefined)[]
}

interface Memory {
  heapBytes: number
  rssBytes: number
}

type Server = Awaited<ReturnType<typeof startServer>>

/** A server with this database, or a bare one. */
async function startServer(databaseUrl: string | 'bare') {
  const child = fork(import.meta.filename, [databaseUrl], { execArgv: ['--expose-gc'] })
  const answer = async () => {
    const [message] = await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(() => Promise.reject(new Error('the stream server has exited'))),
    ])
    return message
  }
  const started: Started = await answer()
  return {
    ...started,
    memory: async (): Promise<Memory> => {
      child.send('memory')
      return answer()
    },
    stop: () => child.disconnect(),
  }
}

/** The server process: sends its port and all cookies, then its memory usage on request. */
async function serve(databaseUrl: string | 'bare'): Promise<void> {
  process.send?.(await (databaseUrl === 'bare' ? startBareServer() : startFullServer(databaseUrl)))
  process.on('message', () => {
    globalThis.gc?.()
    const { heapUsed, rss } = process.memoryUsage()
    process.send?.({ heapBytes: heapUsed, rssBytes: rss } satisfies Memory)
  })
  process.once('disconnect', () => process.exit())
}

async function startFullServer(databaseUrl: string): Promise<Started> {
  const dataDir = join(tmpdir(), `sought-bench-${process.pid}`)
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }))
  const settings = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, LOG_LEVEL: 'silent' }
  const log = pino({ level: 'silent' })
  const services = await createServices(readConfig(settings), databaseUrl, () => new Date(), log)
  const app = await buildApp(services, { ready: true }, log)
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  return { port, cookies: cookiesOf((userId) => encodeURIComponent(app.signCookie(userId))) }
}

/** Does nothing but keep the responses open. The cookies are as long as signed ones. */
async function startBareServer(): Promise<Started> {
  const open = new Set<ServerResponse>()
  const server = createServer((_request, response) => {
    open.add(response)
    response.once('close', () => open.delete(response))
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    response.write('data: {}\n\n')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return { port: String(port), cookies: cookiesOf((userId) => `${userId}.${'0'.repeat(SIGNATURE_LENGTH)}`) }
}

const SIGNATURE_LENGTH = 43

const cookiesOf = (sign: (userId: string) => string) =>
  Array.from({ length: PEOPLE + 1 }, (_, n) => `sid=${sign(userIdOf(n))}`)

const [databaseUrl] = process.argv.slice(2)
if (import.meta.main && databaseUrl) await serve(databaseUrl)
