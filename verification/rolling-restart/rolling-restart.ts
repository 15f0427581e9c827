import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { IMAGE_MAX_BYTES } from '@sought/contract/constants'
import { freePort } from '@sought/server/core/free-port'
import { filePart, MULTIPART, multipart } from '@sought/server/testing/multipart'
import pg from 'pg'
import { createClient, type RequestOptions, type Send } from '../load/http-client.ts'
import { changeMarketSettings } from '../support/market-settings.ts'
import type { Line, Part } from '../support/part.ts'
import { type Random, seeded } from '../support/random.ts'
import { createServerProcess, type ServerProcess } from '../support/server-process.ts'
import { withTemporaryDatabase } from '../support/temporary-database.ts'
import { type LiveStream, openLiveStream } from './live-stream.ts'
import { proxies, type StartProxy } from './proxies.ts'

/*
 * Two processes behind a proxy, as in production, are restarted one after the other under load. Every request must
 * succeed, every message must be stored exactly once, and every stream must reconnect.
 */

const REQUESTS_PER_SECOND = 200
/** A machine that cannot keep up with the load would fall behind further and further, so it gets less load. */
const MAX_UNANSWERED = 400
const ROUNDS = 5
const PEOPLE = 60
const TICK_MS = 10
const PAUSE_MS = 1_000
/** Caddy asks once a second whether a process is ready, and a busy machine answers late. */
const NOTICED_AFTER_MS = 2_000
const STREAMS_BACK_WITHIN_MS = 10_000
const MAX_REPORTED = 10
const PASSWORD = 'correct horse'

export interface Person {
  id: string
  email: string
  cookie: string
}

interface Sent {
  call: string
  text: string | undefined
  /** The error or the unexpected reply. */
  failure: string | null
  tookMs: number
}

export const rollingRestart: Part = async ({ postgresUrl, seed, share }) => {
  const lines: Line[] = []
  for (const [name, startProxy] of Object.entries(proxies)) {
    const rounds = Math.max(1, Math.round(ROUNDS * share))
    const run = (databaseUrl: string) =>
      restartBehind(name, startProxy, databaseUrl, (market) =>
        restartUnderLoad(name, market, rounds, seeded(seed)),
      )
    lines.push(...(await withTemporaryDatabase(postgresUrl, run)))
  }
  return lines
}

export interface RunningMarket {
  /** The address of the proxy. */
  address: string
  servers: ServerProcess[]
  /** The settings with which each process is started. */
  env: Record<string, string>
  databaseUrl: string
}

/** Runs two processes behind a proxy. */
export async function restartBehind(
  name: string,
  startProxy: StartProxy,
  databaseUrl: string,
  work: (market: RunningMarket) => Promise<Line[]>,
): Promise<Line[]> {
  const folder = await mkdtemp(join(tmpdir(), `sought-behind-${name}-`))
  const [httpPort, httpsPort] = [await freePort(), await freePort()]
  const upstreams = [await freePort(), await freePort()] as const
  const address = `https://localhost:${httpsPort}`
  const env = settingsOf(address, databaseUrl, folder)
  const servers = upstreams.map((port) => createServerProcess(`http://127.0.0.1:${port}`, env, () => 0))
  try {
    for (const server of servers) server.start()
    await Promise.all(servers.map((server) => server.ready()))
    const proxy = await startProxy({ folder, httpPort, httpsPort, upstreams, address })
    try {
      const lines = await work({ address, servers, env, databaseUrl })
      if (lines.some(({ violations }) => violations.length > 0)) console.log(proxy.output())
      return lines
    } catch (error) {
      console.log(proxy.output())
      throw error
    } finally {
      await proxy.stop()
    }
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
    await rm(folder, { recursive: true, force: true })
  }
}

const settingsOf = (publicUrl: string, databaseUrl: string, folder: string): Record<string, string> => ({
  NODE_ENV: 'production',
  DRAIN_SECONDS: '5',
  PUBLIC_URL: publicUrl,
  TRUST_PROXY: 'on',
  HOST: '127.0.0.1',
  DATABASE_URL: databaseUrl,
  DATA_DIR: folder,
  SESSION_SECRET: 'the session secret of both',
  DATA_KEY: 'the data key of both processes',
  RATE_LIMIT: 'off',
  // The load saturates two cores, and refusals for that reason are not tested here.
  LOAD_SHEDDING: 'off',
  LOG_LEVEL: 'warn',
})

async function restartUnderLoad(
  name: string,
  { address, servers, databaseUrl }: RunningMarket,
  rounds: number,
  random: Random,
): Promise<Line[]> {
  await changeMarketSettings(databaseUrl, { openRequestsMax: null })
  const send = createClient(address)
  const limits = await checkLimits(name, send)
  const people = await signUpUsers(send)
  const streams = people.map(({ cookie }) => openLiveStream(address, cookie))
  const market = await createMarket(send, people, random)
  const load = sendSteadily(market.next, send)
  const restarts = await restartInTurn(servers, rounds)
  const { replies: sent, seconds } = await load.stop()
  const rate = sent.length / seconds
  const failed = sent.filter(({ failure }) => failure !== null)
  const accepted = sent.flatMap(({ failure, text }) => (failure === null && text ? [text] : []))
  const stored = await checkStored(databaseUrl, accepted)
  const back = await checkStreams(streams, people, market.itemId, send)
  for (const stream of streams) stream.close()
  const [p50, p99, max] = [0.5, 0.99, 1].map((part) => percentile(sent, part).toFixed(0))
  return [
    limits,
    {
      what: `requests behind ${name} during ${restarts.times} restarts (${rate.toFixed(0)} a second for ${seconds.toFixed(0)} s, p50 ${p50}, p99 ${p99}, max ${max} ms)`,
      times: sent.length,
      violations: shorten(failed.map(({ call, failure }) => `${call} behind ${name}: ${failure}`)),
    },
    { ...restarts, what: `restarts behind ${name}, each with exit code 0` },
    { what: `messages and requests accepted behind ${name}, each stored once`, ...stored },
    { what: `streams behind ${name} that came back (${back.figures})`, ...back },
  ]
}

/** The largest allowed upload reaches the server, and refusals of the proxy have our codes too. */
async function checkLimits(name: string, send: Send): Promise<Line> {
  const { cookie } = await signUp(send, 'uploads@example.com')
  const expected: [bytes: number, status: number, code: string][] = [
    [IMAGE_MAX_BYTES, 415, 'not_an_image'],
    [IMAGE_MAX_BYTES + 2 ** 21, 413, 'too_large'],
  ]
  const violations: string[] = []
  for (const [bytes, status, code] of expected) {
    const body = multipart([filePart('image', 'large.png', Buffer.alloc(bytes))])
    const reply = await send('POST /api/wanted-items/image', { cookie, bytes: { type: MULTIPART, body } })
    const answer = `${reply.status} ${codeOf(reply.body)}`
    if (answer !== `${status} ${code}`) violations.push(`${bytes} bytes behind ${name}: ${answer}`)
  }
  return { what: `uploads behind ${name}, up to the largest allowed`, times: expected.length, violations }
}

function codeOf(body: string): string {
  try {
    return String(JSON.parse(body).code)
  } catch {
    return body.slice(0, 100)
  }
}

async function signUp(send: Send, email: string): Promise<Person> {
  const json = { email, password: PASSWORD, firstName: 'Rolling', lastName: 'Restart' }
  const reply = await send('POST /api/auth/signup', { json })
  return { id: JSON.parse(reply.body).id, email, cookie: reply.cookie }
}

/** One after the other, because hashing a password is slow. */
export async function signUpUsers(send: Send, count = PEOPLE): Promise<Person[]> {
  const people: Person[] = []
  while (people.length < count) people.push(await signUp(send, `user${people.length}@example.com`))
  return people
}

export interface Request extends RequestOptions {
  call: string
  /** The text that is stored if the request is accepted. */
  text?: string
}

/** The requests of the users. */
async function createMarket(send: Send, people: Person[], random: Random) {
  const [owner] = people
  if (!owner) throw new Error('there are no users')
  const lamp = { description: 'Green', category: 'Other', location: 'Ipoh', maxBudget: 0 }
  const created = await send('POST /api/wanted-items', { ...owner, json: { ...lamp, title: 'Lamp' } })
  const itemId: number = JSON.parse(created.body).id
  let texts = 0
  const read = (path: string) => (): Request => ({ call: `GET ${path}`, cookie: random.pick(people).cookie })
  const say = (): Request => {
    const text = `Message ${++texts}`
    const json = { wantedItemId: itemId, receiverId: owner.id, content: text }
    return { call: 'POST /api/messages', cookie: random.pick(people.slice(1)).cookie, json, text }
  }
  const post = (): Request => {
    const text = `Request ${++texts}`
    return {
      call: 'POST /api/wanted-items',
      cookie: random.pick(people).cookie,
      json: { ...lamp, title: text },
      text,
    }
  }
  const signIn = (): Request => ({
    call: 'POST /api/auth/login',
    json: { email: random.pick(people).email, password: PASSWORD },
  })
  const choices = [
    [read('/api/wanted-items?limit=12'), 25],
    [read(`/api/wanted-items/${itemId}`), 15],
    [read('/api/auth/user'), 20],
    [read('/api/conversations'), 10],
    [read('/healthz'), 5],
    [say, 18],
    [post, 5],
    [signIn, 2],
  ] as const
  return { itemId, next: () => random.weighted<() => Request>(choices)() }
}

/** Sends requests at a steady rate, unless too many are unanswered. */
export function sendSteadily(next: () => Request, send: Send, perSecond = REQUESTS_PER_SECOND) {
  const sent: Promise<Sent>[] = []
  let unanswered = 0
  const startMs = performance.now()
  let stopped = false
  const sendOne = async ({ call, text, ...options }: Request): Promise<Sent> => {
    const begunMs = performance.now()
    unanswered++
    const failure = await send(call, options).then(
      ({ status, body }) => (status < 300 ? null : `${status} ${body.slice(0, 200)}`),
      (error: Error) => error.message,
    )
    unanswered--
    return { call, text, failure, tookMs: performance.now() - begunMs }
  }
  const work = async () => {
    while (!stopped) {
      const due = ((performance.now() - startMs) / 1000) * perSecond
      while (sent.length <= due && unanswered < MAX_UNANSWERED) sent.push(sendOne(next()))
      await wait(TICK_MS)
    }
    return { seconds: (performance.now() - startMs) / 1000, replies: await Promise.all(sent) }
  }
  const working = work()
  return {
    stop() {
      stopped = true
      return working
    },
  }
}

/** Stops and restarts each process in turn. The next one follows when the proxy knows that it is ready. */
export async function restartInTurn(servers: ServerProcess[], rounds: number): Promise<Omit<Line, 'what'>> {
  const violations: string[] = []
  await wait(PAUSE_MS)
  for (let round = 0; round < rounds; round++) {
    for (const server of servers) {
      const code = await server.stop()
      if (code !== 0) violations.push(`exit code ${code}:\n${server.output()}`)
      server.start()
      await server.ready()
      await wait(NOTICED_AFTER_MS)
    }
  }
  await wait(PAUSE_MS)
  return { times: rounds * servers.length, violations }
}

async function checkStored(databaseUrl: string, texts: string[]): Promise<Omit<Line, 'what'>> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query(
      `select accepted.text, count(stored.text)::int as times
       from unnest($1::text[]) accepted (text)
       left join (select content as text from messages union all select title from wanted_items) stored using (text)
       group by accepted.text having count(stored.text) <> 1`,
      [texts],
    )
    return {
      times: texts.length,
      violations: shorten(rows.map(({ text, times }) => `${text}: stored ${times} times`)),
    }
  } finally {
    await client.end()
  }
}

/** Every user writes to the owner of the request. The streams of both users must announce it. */
async function checkStreams(streams: LiveStream[], people: Person[], itemId: number, send: Send) {
  const before = streams.map((stream) => stream.received('messages'))
  const [owner] = people
  for (const { cookie } of people.slice(1)) {
    const json = { wantedItemId: itemId, receiverId: owner?.id, content: 'Still there?' }
    await send('POST /api/messages', { cookie, json })
  }
  const silent = () => streams.filter((stream, at) => stream.received('messages') === before[at])
  const deadline = performance.now() + STREAMS_BACK_WITHIN_MS
  while (silent().length > 0 && performance.now() < deadline) await wait(TICK_MS)
  const violations = [
    ...streams.flatMap(({ failures }) => failures),
    ...silent().map(() => 'a stream did not come back'),
  ]
  const reconnections = streams.reduce((sum, { connections }) => sum + connections - 1, 0)
  const gapMs = Math.max(...streams.map(({ longestGapMs }) => longestGapMs))
  return {
    figures: `${reconnections} reconnections, ${gapMs.toFixed(0)} ms at most`,
    times: streams.length,
    violations: shorten(violations),
  }
}

export function shorten(violations: string[]): string[] {
  const more = violations.length - MAX_REPORTED
  return more > 0 ? [...violations.slice(0, MAX_REPORTED), `and ${more} more`] : violations
}

function percentile(sent: Sent[], part: number): number {
  const times = sent.map(({ tookMs }) => tookMs).toSorted((a, b) => a - b)
  return times[Math.ceil(times.length * part) - 1] ?? Number.NaN
}
