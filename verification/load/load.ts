import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '@sought/server/core/free-port'
import { cardForm } from '@sought/server/market-builder/card-browser'
import type { Line, Part } from '../support/part.ts'
import { type Random, seeded } from '../support/random.ts'
import { createServerProcess, type ServerProcess } from '../support/server-process.ts'
import { withTemporaryDatabase } from '../support/temporary-database.ts'
import { createClient, openEventStream, type Reply, type Send } from './http-client.ts'

/*
 * First, many users browse, chat and pay for a while: no request may fail, and memory must not grow. Then requests
 * arrive ten times faster than the server can handle: it must refuse the excess, answer health checks and recover
 * without help.
 */

const PEOPLE = 500
const MINUTES = 5
/** The pause between two actions of a user. */
const THINK_MS = { least: 500, most: 2_500 }
/** The heap may grow by this factor at most. */
const MAX_GROWTH = 1.1
/** Earlier, the process is still warming up. */
const WARM_AFTER_SECONDS = 60
const MAX_REPORTED = 5

export interface Target {
  address: string
  send: Send
  cardKey: string
  heapBytes: ServerProcess['heapBytes']
}

export interface Person {
  id: string
  cookie: string
}

export const load: Part = ({ postgresUrl, seed, share }) =>
  withTemporaryDatabase(postgresUrl, (databaseUrl) =>
    withServer(databaseUrl, async (target) => {
      const people = await signUpUsers(target, Math.max(2, Math.round(PEOPLE * share)))
      const seconds = Math.max(10, MINUTES * 60 * share)
      return [
        await simulateUsers(target, people, seconds, seeded(seed)),
        await overload(target, people, share),
      ]
    }),
  )

export async function withServer<Result>(databaseUrl: string, work: (target: Target) => Promise<Result>) {
  const dataDir = await mkdtemp(join(tmpdir(), 'sought-load-'))
  const address = `http://localhost:${await freePort()}`
  const env = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'error',
  }
  const server = createServerProcess(address, env, () => 0)
  server.start()
  try {
    await server.ready()
    const send = createClient(address)
    const { publishableKey } = JSON.parse((await send('GET /api/config')).body)
    return await work({ address, send, cardKey: publishableKey, heapBytes: server.heapBytes })
  } finally {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** A few at a time, because hashing a password is slow. */
export async function signUpUsers({ send }: Target, size: number): Promise<Person[]> {
  const people: Person[] = []
  while (people.length < size) {
    const next = Array.from({ length: Math.min(8, size - people.length) }, async (_, at) => {
      const email = `user${people.length + at}@example.com`
      const person = { email, password: 'correct horse', firstName: 'Load', lastName: 'Tester' }
      const reply = await send('POST /api/auth/signup', { json: person })
      return { id: JSON.parse(reply.body).id, cookie: reply.cookie }
    })
    people.push(...(await Promise.all(next)))
  }
  return people
}

/** All users concurrently: half of them are buyers, the other half sellers. */
async function simulateUsers(
  target: Target,
  people: Person[],
  seconds: number,
  random: Random,
): Promise<Line> {
  const until = performance.now() + seconds * 1000
  const replies: { call: string; reply: Reply }[] = []
  const recording: Target = {
    ...target,
    send: async (call, asking) => {
      const reply = await target.send(call, asking)
      replies.push({ call, reply })
      return reply
    },
  }
  const streams = people.map(({ cookie }) => openEventStream(target.address, cookie))
  const memory = measureMemory(target, seconds)
  const pairs = Array.from({ length: people.length / 2 }, (_, at) => {
    const [buyer, seller] = [people[2 * at], people[2 * at + 1]]
    if (!buyer || !seller) throw new Error('people come in pairs')
    return simulatePair(recording, buyer, seller, random.split(), until)
  })
  await Promise.all(pairs)
  const growth = await memory
  for (const end of streams) end()
  const wrong = replies.filter(({ reply }) => reply.status >= 400)
  const violations = wrong
    .slice(0, MAX_REPORTED)
    .map(({ call, reply }) => `${call}: ${reply.status} ${reply.body}`)
  if (wrong.length > MAX_REPORTED) violations.push(`and ${wrong.length - MAX_REPORTED} more such answers`)
  const isWarm = seconds / 5 >= WARM_AFTER_SECONDS
  if (isWarm && growth.ratio > MAX_GROWTH)
    violations.push(`memory has grown ${growth.ratio.toFixed(2)} times: ${growth.heapsMb} MB`)
  const p99 = percentile(
    replies.map(({ reply }) => reply.tookMs),
    0.99,
  )
  const pace = (replies.length / seconds).toFixed(0)
  return {
    what: `requests of ${people.length} people in ${seconds} s (${pace} a second, p99 ${p99.toFixed(0)} ms, memory × ${growth.ratio.toFixed(2)}: ${growth.heapsMb} MB)`,
    times: replies.length,
    violations,
  }
}

/** One deal after another, with some browsing between two steps. A deal ends early if a request fails. */
async function simulatePair(target: Target, buyer: Person, seller: Person, random: Random, until: number) {
  const isOver = () => performance.now() >= until
  let hasFailed = false
  const watched: Target = {
    ...target,
    send: async (call, asking) => {
      const reply = await target.send(call, asking)
      hasFailed ||= reply.status >= 400
      return reply
    },
  }
  while (!isOver()) {
    hasFailed = false
    for (const step of stepsOfDeal(watched, buyer, seller)) {
      await wait(THINK_MS.least + random.below(THINK_MS.most - THINK_MS.least))
      if (isOver()) return
      await step()
      if (hasFailed) break
      await browse(target, random.chance(0.5) ? buyer : seller, random)
    }
  }
}

const SEARCHES = ['lamp', 'green', 'camera', 'bicycle', 'nothing like it']

async function browse({ send }: Target, { cookie }: Person, random: Random): Promise<void> {
  const [path, ...more] = random.pick([
    ['/api/wanted-items?limit=12', '/api/auth/user'],
    [`/api/wanted-items?search=${encodeURIComponent(random.pick(SEARCHES))}`],
    ['/api/conversations', '/api/notifications'],
    ['/api/payments', '/api/seller/payouts'],
    ['/', '/api/user/stats'],
  ])
  for (const each of [path, ...more]) await send(`GET ${each}`, { cookie })
}

/** The steps of a deal in order. */
export function stepsOfDeal(
  { send, cardKey }: Target,
  buyer: Person,
  seller: Person,
): (() => Promise<unknown>)[] {
  let item = 0
  let offer = 0
  let payment = { paymentId: 0, clientSecret: '' }
  const lamp = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh', maxBudget: 0 }
  const say = (from: Person, to: Person, content: string) => () =>
    send('POST /api/messages', {
      cookie: from.cookie,
      json: { wantedItemId: item, receiverId: to.id, content },
    })
  const read = (who: Person) => () => send(`GET /api/messages?wantedItemId=${item}`, who)
  return [
    async () => {
      item = JSON.parse((await send('POST /api/wanted-items', { ...buyer, json: lamp })).body).id
    },
    () => send(`GET /api/wanted-items/${item}`, seller),
    say(seller, buyer, 'I have one like that.'),
    read(buyer),
    say(buyer, seller, 'Is it green?'),
    read(seller),
    say(seller, buyer, 'As grass.'),
    async () => {
      const json = { wantedItemId: item, receiverId: buyer.id, amount: 12_000 }
      offer = JSON.parse((await send('POST /api/offers', { ...seller, json })).body).id
    },
    () => send(`PATCH /api/offers/${offer}/accept`, buyer),
    async () => {
      const json = { itemId: item, offerId: offer, amount: 12_000 }
      payment = JSON.parse((await send('POST /api/create-escrow-payment', { ...buyer, json })).body)
    },
    async () => {
      const [path, form] = cardForm(payment.clientSecret, '4242424242424242')
      await send(`POST /sandbox${path}`, { authorization: `Bearer ${cardKey}`, form })
    },
    () => send(`GET /api/payments/${payment.paymentId}`, buyer),
    () => send(`POST /api/manual-delivery-confirm/${payment.paymentId}`, buyer),
    read(seller),
  ]
}

/** The heap after each fifth of the time, and its growth from the first to the last. */
async function measureMemory(
  { heapBytes }: Target,
  seconds: number,
): Promise<{ ratio: number; heapsMb: string }> {
  const heaps: number[] = []
  for (let fifth = 0; fifth < 5; fifth++) {
    await wait(seconds * 200)
    heaps.push(await heapBytes())
  }
  const [first = Number.NaN] = heaps
  const inMegabytes = heaps.map((bytes) => (bytes / 1e6).toFixed(1))
  return { ratio: (heaps.at(-1) ?? Number.NaN) / first, heapsMb: inMegabytes.join(', ') }
}

/** The status of an accepted message. */
const ACCEPTED = 201
const OVERLOAD_FACTOR = 10.5
const LEAST_OVERLOAD_FACTOR = 10
const CAPACITY_SECONDS = 5
const OVERLOAD_SECONDS = 20
const HEALTH_EVERY_MS = 250
const HEALTH_WITHIN_MS = 2_000
const RECOVERY_MS = 5_000
const TICK_MS = 10

/** Measures the capacity, then sends ten times as many requests without waiting for replies. */
async function overload(target: Target, people: Person[], share: number): Promise<Line> {
  const { send } = target
  const write = await createWriter(target, people)
  const capacity = await measureCapacity(write, Math.max(3, CAPACITY_SECONDS * share))
  const seconds = Math.max(3, OVERLOAD_SECONDS * share)
  const sent: Promise<Reply | Error>[] = []
  const startMs = performance.now()
  const health = checkHealth(send, startMs + seconds * 1000)
  let elapsedSeconds = 0
  while (elapsedSeconds < seconds) {
    await wait(TICK_MS)
    elapsedSeconds = (performance.now() - startMs) / 1000
    const due = elapsedSeconds * capacity * OVERLOAD_FACTOR
    while (sent.length <= due) sent.push(write().catch((error: Error) => error))
  }
  const violations = await health
  const answers = await Promise.all(sent)
  const offered = answers.length / elapsedSeconds / capacity
  const count = (isSuch: (answer: Reply | Error) => boolean) => answers.filter(isSuch).length
  const accepted = count((answer) => !(answer instanceof Error) && answer.status === ACCEPTED)
  const refused = count((answer) => !(answer instanceof Error) && answer.status === 503)
  const withoutRetryAfter = count(
    (answer) => !(answer instanceof Error) && answer.status === 503 && !answer.retryAfter,
  )
  const other = answers.length - accepted - refused
  if (offered < LEAST_OVERLOAD_FACTOR)
    violations.push(`only ${offered.toFixed(1)} times the capacity could be sent`)
  if (refused === 0) violations.push('no request was refused')
  if (withoutRetryAfter > 0) violations.push(`${withoutRetryAfter} refusals have no Retry-After`)
  if (other > 0) violations.push(`${other} were neither accepted nor refused`)
  violations.push(...(await checkRecovery(write)))
  return {
    what: `requests at ${offered.toFixed(1)} times the capacity of ${capacity.toFixed(0)} a second (${accepted} accepted, ${refused} refused)`,
    times: answers.length,
    violations,
  }
}

/** An expensive call: each one sends a message as another user. */
async function createWriter({ send }: Target, people: Person[]): Promise<() => Promise<Reply>> {
  const [owner] = people
  if (!owner) throw new Error('there are no users')
  const lamp = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh', maxBudget: 0 }
  const { id } = JSON.parse((await send('POST /api/wanted-items', { ...owner, json: lamp })).body)
  let turn = 0
  return () => {
    turn = (turn % (people.length - 1)) + 1
    const json = { wantedItemId: id, receiverId: owner.id, content: 'Still wanted?' }
    return send('POST /api/messages', { cookie: people[turn]?.cookie ?? '', json })
  }
}

const FULL_CONNECTIONS = 64

async function measureCapacity(write: () => Promise<Reply>, seconds: number): Promise<number> {
  const startMs = performance.now()
  const elapsedSeconds = () => (performance.now() - startMs) / 1000
  let answered = 0
  const keepOn = async () => {
    while (elapsedSeconds() < seconds) {
      const { status } = await write()
      if (status === ACCEPTED) answered++
    }
  }
  await Promise.all(Array.from({ length: FULL_CONNECTIONS }, keepOn))
  // The last replies arrive after the given time.
  return answered / elapsedSeconds()
}

async function checkHealth(send: Send, until: number): Promise<string[]> {
  const violations: string[] = []
  while (performance.now() < until) {
    for (const path of ['/healthz', '/readyz']) {
      const { status, tookMs } = await send(`GET ${path}`)
      if (status !== 200) violations.push(`${path} was answered with ${status}`)
      if (tookMs > HEALTH_WITHIN_MS) violations.push(`${path} took ${tookMs.toFixed(0)} ms`)
    }
    await wait(HEALTH_EVERY_MS)
  }
  return violations.slice(0, MAX_REPORTED)
}

async function checkRecovery(write: () => Promise<Reply>): Promise<string[]> {
  await wait(RECOVERY_MS)
  const answers = await Promise.all(Array.from({ length: 20 }, write))
  const refused = answers.filter(({ status }) => status !== ACCEPTED)
  return refused.map(
    ({ status }) => `${RECOVERY_MS} ms after the overload a message was answered with ${status}`,
  )
}

function percentile(timesMs: number[], part: number): number {
  return timesMs.toSorted((a, b) => a - b)[Math.ceil(timesMs.length * part) - 1] ?? Number.NaN
}
