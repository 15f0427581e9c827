import { fork } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { Agent, get, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type {} from '@fastify/cookie'
import { sendMessage } from '@sought/contract/messages'
import { listenToEvents } from '@sought/contract/platform'
import { pino } from 'pino'
import { buildApp } from '../server/src/app.ts'
import { createServices } from '../server/src/create-services.ts'
import { readConfig } from '../server/src/platform/config.ts'
import type { Database } from '../server/src/platform/database.ts'
import { milliseconds, type Row, report } from './measure.ts'

/*
 * A thousand open streams on one process: how long a message takes to reach all pages of the two people it
 * concerns, and how much memory a stream costs. The server runs in a process of its own, so that what it holds is
 * its own; the pages are plain connections from here.
 */

const PEOPLE = 100
const STREAMS_EACH = 10
const WARM_UP = 5
const LONE_MESSAGES = 50
/** How long a message may take, from the moment it is sent until the last page has heard of it. */
const MOST_MS = 1_000
/** After which we take it as lost. */
const LOST_MS = 10 * MOST_MS
const OPEN_AT_ONCE = 50

const idOf = (n: number) => `stream${n}`
/** The one whom person n writes to. */
const next = (n: number) => (n % PEOPLE) + 1

/** Person n has a request of their own, and a session under their own id. */
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
  const itemOf = new Map(rows.map(({ id, user_id }) => [user_id, id]))
  const server = await startServer(databaseUrl)
  const streams: Stream[] = []
  try {
    const before = await server.memory()
    for (let opened = 0; opened < PEOPLE * STREAMS_EACH; opened += OPEN_AT_ONCE) {
      const batch = Array.from({ length: OPEN_AT_ONCE }, (_, at) => 1 + ((opened + at) % PEOPLE))
      streams.push(...(await Promise.all(batch.map((person) => openStream(server, person)))))
    }
    const after = await server.memory()

    const post = (n: number) => sendToNext(server, n, itemOf)
    const pagesOf = (n: number) => streams.filter(({ userId }) => [idOf(n), idOf(next(n))].includes(userId))
    // The first few only warm up.
    for (let n = 1; n <= WARM_UP; n++) await untilHeard(pagesOf(n), 1, () => post(n))
    let slowest = 0
    for (let n = 1; n <= LONE_MESSAGES; n++) {
      slowest = Math.max(slowest, await untilHeard(pagesOf(n), 1, () => post(n)))
    }
    // Everybody writes at the same moment: each hears of the message sent and of the one received.
    const everybody = Array.from({ length: PEOPLE }, (_, at) => at + 1)
    const together = await untilHeard(streams, 2, () => Promise.all(everybody.map(post)))
    const perStream = (bytes: keyof Memory) => (after[bytes] - before[bytes]) / streams.length
    return report(
      `${streams.length.toLocaleString('en')} open streams of ${PEOPLE} people on one process`,
      ['', 'measured', 'bound'],
      [
        {
          cells: [
            'a message, until the last of its 20 pages knows',
            milliseconds(slowest),
            `below ${MOST_MS} ms`,
          ],
          ok: slowest < MOST_MS,
        },
        // How many messages a machine takes in at once is no matter of the streams: stated, not judged.
        stated(`${PEOPLE} messages at once, until the last page knows`, milliseconds(together)),
        stated('memory of a stream, on the heap', kilobytes(perStream('heapBytes'))),
        stated('memory of a stream, of the whole process', kilobytes(perStream('rssBytes'))),
      ],
    )
  } finally {
    for (const stream of streams) stream.close()
    server.stop()
  }
}

const stated = (title: string, figure: string): Row => ({ cells: [title, figure, '-'], ok: true })

const kilobytes = (bytes: number) => `${(bytes / 1024).toFixed(1)} kB`

interface Stream {
  userId: string
  /** Settles once this stream has said so many more times that there are messages. */
  hears(times: number): Promise<void>
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
  let allHeard: () => void = () => {}
  response.setEncoding('utf8').on('data', (text: string) => {
    missing -= text.split('"messages"').length - 1
    if (missing <= 0) allHeard()
  })
  // We hang up in the end, which is no failure.
  response.on('error', () => {})
  return {
    userId: idOf(n),
    hears: (times) =>
      new Promise((resolve) => {
        missing = times
        allHeard = resolve
      }),
    close: () => asked.destroy(),
  }
}

/** The time until each of these streams has heard so many times of what `send` sends. */
async function untilHeard(
  streams: readonly Stream[],
  times: number,
  send: () => Promise<unknown>,
): Promise<number> {
  const heard = Promise.all(streams.map((stream) => stream.hears(times)))
  const began = performance.now()
  await send()
  await Promise.race([heard, wait(LOST_MS, undefined, { ref: false })])
  return performance.now() - began
}

/** Person n writes to the next one, about the request of the other. */
async function sendToNext({ port, cookies }: Started, n: number, itemOf: ReadonlyMap<string, number>) {
  const receiverId = idOf(next(n))
  const asked = request({
    port,
    agent,
    method: sendMessage.method,
    path: sendMessage.path,
    headers: { cookie: cookies[n], 'content-type': 'application/json' },
  })
  const wantedItemId = itemOf.get(receiverId)
  asked.end(JSON.stringify({ content: 'Is it still wanted?', wantedItemId, receiverId }))
  const [response]: IncomingMessage[] = await once(asked, 'response')
  response?.resume()
  if (response?.statusCode !== 201) throw new Error(`a message was refused with ${response?.statusCode}`)
}

/** What the server tells when it is up. */
interface Started {
  port: string
  /** The session cookie of each person, by number. */
  cookies: (string | undefined)[]
}

interface Memory {
  heapBytes: number
  rssBytes: number
}

async function startServer(databaseUrl: string) {
  const child = fork(import.meta.filename, [databaseUrl], { execArgv: ['--expose-gc'] })
  const answer = async () => {
    const [said] = await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(() => Promise.reject(new Error('the server of the streams has ended'))),
    ])
    return said
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

/** The server's half: it tells its port and everybody's cookie, and what it holds whenever it is asked. */
async function serve(databaseUrl: string): Promise<void> {
  const dataDir = join(tmpdir(), `sought-bench-${process.pid}`)
  const settings = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, LOG_LEVEL: 'silent' }
  const log = pino({ level: 'silent' })
  const services = await createServices(readConfig(settings), databaseUrl, () => new Date(), log)
  const app = await buildApp(services, { ready: true }, log)
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const cookies = Array.from(
    { length: PEOPLE + 1 },
    (_, n) => `sid=${encodeURIComponent(app.signCookie(idOf(n)))}`,
  )
  process.send?.({ port, cookies } satisfies Started)
  process.on('message', () => {
    globalThis.gc?.()
    const { heapUsed, rss } = process.memoryUsage()
    process.send?.({ heapBytes: heapUsed, rssBytes: rss } satisfies Memory)
  })
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }))
  process.once('disconnect', () => process.exit())
}

const [databaseUrl] = process.argv.slice(2)
if (import.meta.main && databaseUrl) await serve(databaseUrl)
