import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '@sought/server/platform/free-port'
import type { Line, Part } from '../support/part.ts'
import { cardForm } from '../support/provider-client.ts'
import { type Random, seeded } from '../support/random.ts'
import { createKillableServer, type KillableServer } from '../support/server-process.ts'
import { withDatabase } from '../support/temporary-database.ts'
import { type Ask, followNews, type Heard, speakTo } from './http-client.ts'

/*
 * A crowd that browses, chats and pays for a while, and then ten times more than the server can take. It must answer
 * the first without a fault and without growing, and survive the second: refusing, watched over, and well again by
 * itself.
 */

const PEOPLE = 500
const MINUTES = 5
/** Between two things that a person does. */
const THINK_MS = { least: 500, most: 2_500 }
/** What the process keeps may waver by so much, and not grow beyond. */
const MOST_GROWTH = 1.1
/** Before that a process is still warming up. */
const WARM_AFTER_SECONDS = 60
const SHOWN = 5

interface Place {
  address: string
  ask: Ask
  cardKey: string
  /** The bytes that the server keeps. */
  weigh: KillableServer['weigh']
}

interface Somebody {
  id: string
  cookie: string
}

export const load: Part = ({ postgresUrl, seed, share }) =>
  withDatabase(postgresUrl, (databaseUrl) =>
    withServer(databaseUrl, async (place) => {
      const people = await gather(place, Math.max(2, Math.round(PEOPLE * share)))
      const seconds = Math.max(10, MINUTES * 60 * share)
      return [await serveCrowd(place, people, seconds, seeded(seed)), await overwhelm(place, people, share)]
    }),
  )

async function withServer<Result>(databaseUrl: string, work: (place: Place) => Promise<Result>) {
  const dataDir = await mkdtemp(join(tmpdir(), 'sought-load-'))
  const address = `http://localhost:${await freePort()}`
  const env = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    SANDBOX_PORT: String(await freePort()),
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'error',
  }
  const server = createKillableServer(address, env, () => 0)
  server.start()
  try {
    await server.ready()
    const ask = speakTo(address)
    const { publishableKey } = JSON.parse((await ask('GET /api/config')).body)
    return await work({ address, ask, cardKey: publishableKey, weigh: server.weigh })
  } finally {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** They come a few at a time, as each password takes its time. */
async function gather({ ask }: Place, size: number): Promise<Somebody[]> {
  const people: Somebody[] = []
  while (people.length < size) {
    const next = Array.from({ length: Math.min(8, size - people.length) }, async (_, at) => {
      const email = `crowd${people.length + at}@example.com`
      const person = { email, password: 'correct horse', firstName: 'Crowd', lastName: 'Person' }
      const reply = await ask('POST /api/auth/signup', { json: person })
      return { id: JSON.parse(reply.body).id, cookie: reply.cookie }
    })
    people.push(...(await Promise.all(next)))
  }
  return people
}

/** Everybody at once: half of them want something, the other half have it. */
async function serveCrowd(place: Place, people: Somebody[], seconds: number, random: Random): Promise<Line> {
  const until = performance.now() + seconds * 1000
  const heard: { call: string; reply: Heard }[] = []
  const watched: Place = {
    ...place,
    ask: async (call, asking) => {
      const reply = await place.ask(call, asking)
      heard.push({ call, reply })
      return reply
    },
  }
  const streams = people.map(({ cookie }) => followNews(place.address, cookie))
  const memory = watchMemory(place, seconds)
  const lives = Array.from({ length: people.length / 2 }, (_, at) => {
    const [buyer, seller] = [people[2 * at], people[2 * at + 1]]
    if (!buyer || !seller) throw new Error('people come in pairs')
    return live(watched, buyer, seller, random.split(), until)
  })
  await Promise.all(lives)
  const growth = await memory
  for (const end of streams) end()
  const wrong = heard.filter(({ reply }) => reply.status >= 400)
  const violations = wrong.slice(0, SHOWN).map(({ call, reply }) => `${call}: ${reply.status} ${reply.body}`)
  if (wrong.length > SHOWN) violations.push(`and ${wrong.length - SHOWN} more such answers`)
  const isWarm = seconds / 5 >= WARM_AFTER_SECONDS
  if (isWarm && growth.ratio > MOST_GROWTH)
    violations.push(`memory has grown ${growth.ratio.toFixed(2)} times: ${growth.kept} MB`)
  const p99 = percentile(
    heard.map(({ reply }) => reply.tookMs),
    0.99,
  )
  const pace = (heard.length / seconds).toFixed(0)
  return {
    what: `requests of ${people.length} people in ${seconds} s (${pace} a second, p99 ${p99.toFixed(0)} ms, memory × ${growth.ratio.toFixed(2)}: ${growth.kept} MB)`,
    times: heard.length,
    violations,
  }
}

/** One deal after the other, with a look around between two steps. */
async function live(place: Place, buyer: Somebody, seller: Somebody, random: Random, until: number) {
  const isOver = () => performance.now() >= until
  while (!isOver()) {
    for (const step of deal(place, buyer, seller)) {
      await wait(THINK_MS.least + random.below(THINK_MS.most - THINK_MS.least))
      if (isOver()) return
      await step()
      await lookAround(place, random.chance(0.5) ? buyer : seller, random)
    }
  }
}

const WORDS = ['lamp', 'green', 'camera', 'bicycle', 'nothing like it']

async function lookAround({ ask }: Place, { cookie }: Somebody, random: Random): Promise<void> {
  const [path, ...more] = random.pick([
    ['/api/wanted-items?limit=12', '/api/auth/user'],
    [`/api/wanted-items?search=${encodeURIComponent(random.pick(WORDS))}`],
    ['/api/conversations', '/api/notifications'],
    ['/api/payments', '/api/seller/payouts'],
    ['/', '/api/user/stats'],
  ])
  for (const each of [path, ...more]) await ask(`GET ${each}`, { cookie })
}

/** Each step is one thing that one of the two does; later ones need what earlier ones were told. */
function deal({ ask, cardKey }: Place, buyer: Somebody, seller: Somebody): (() => Promise<unknown>)[] {
  let item = 0
  let offer = 0
  let payment = { paymentId: 0, clientSecret: '' }
  const lamp = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh', maxBudget: 0 }
  const say = (from: Somebody, to: Somebody, content: string) => () =>
    ask('POST /api/messages', {
      cookie: from.cookie,
      json: { wantedItemId: item, receiverId: to.id, content },
    })
  const read = (who: Somebody) => () => ask(`GET /api/messages?wantedItemId=${item}`, who)
  return [
    async () => {
      item = JSON.parse((await ask('POST /api/wanted-items', { ...buyer, json: lamp })).body).id
    },
    () => ask(`GET /api/wanted-items/${item}`, seller),
    say(seller, buyer, 'I have one like that.'),
    read(buyer),
    say(buyer, seller, 'Is it green?'),
    read(seller),
    say(seller, buyer, 'As grass.'),
    async () => {
      const json = { wantedItemId: item, receiverId: buyer.id, amount: 12_000 }
      offer = JSON.parse((await ask('POST /api/offers', { ...seller, json })).body).id
    },
    () => ask(`PATCH /api/offers/${offer}/accept`, buyer),
    async () => {
      const json = { itemId: item, offerId: offer, amount: 12_000 }
      payment = JSON.parse((await ask('POST /api/create-escrow-payment', { ...buyer, json })).body)
    },
    async () => {
      const [path, form] = cardForm(payment.clientSecret, '4242424242424242')
      await ask(`POST /sandbox${path}`, { authorization: `Bearer ${cardKey}`, form })
    },
    () => ask(`GET /api/payments/${payment.paymentId}`, buyer),
    () => ask(`POST /api/manual-delivery-confirm/${payment.paymentId}`, buyer),
    read(seller),
  ]
}

/** How much more the process keeps at the end than after a fifth of the time, and what it kept meanwhile. */
async function watchMemory({ weigh }: Place, seconds: number): Promise<{ ratio: number; kept: string }> {
  const kept: number[] = []
  for (let fifth = 0; fifth < 5; fifth++) {
    await wait(seconds * 200)
    kept.push(await weigh())
  }
  const [first = Number.NaN] = kept
  const inMegabytes = kept.map((bytes) => (bytes / 1e6).toFixed(1))
  return { ratio: (kept.at(-1) ?? Number.NaN) / first, kept: inMegabytes.join(', ') }
}

/** How a message that was taken is answered. */
const TAKEN = 201
const TIMES_TOO_MUCH = 10.5
const LEAST_TIMES_TOO_MUCH = 10
const FULL_SECONDS = 5
const TOO_MUCH_SECONDS = 20
const HEALTH_EVERY_MS = 250
const HEALTH_WITHIN_MS = 2_000
const WELL_WITHIN_MS = 5_000
const TICK_MS = 10

/** First as much as it can take is found, then ten times that arrives, whether or not it is answered. */
async function overwhelm(place: Place, people: Somebody[], share: number): Promise<Line> {
  const { ask } = place
  const write = await openTalk(place, people)
  const canTake = await mostPerSecond(write, Math.max(1, FULL_SECONDS * share))
  const seconds = Math.max(3, TOO_MUCH_SECONDS * share)
  const sent: Promise<Heard | Error>[] = []
  const began = performance.now()
  const until = began + seconds * 1000
  const health = watchHealth(ask, until)
  while (performance.now() < until) {
    const due = ((performance.now() - began) / 1000) * canTake * TIMES_TOO_MUCH
    while (sent.length <= due) sent.push(write().catch((error: Error) => error))
    await wait(TICK_MS)
  }
  const violations = await health
  const answers = await Promise.all(sent)
  const offered = answers.length / seconds / canTake
  const count = (isSuch: (answer: Heard | Error) => boolean) => answers.filter(isSuch).length
  const taken = count((answer) => !(answer instanceof Error) && answer.status === TAKEN)
  const shed = count((answer) => !(answer instanceof Error) && answer.status === 503)
  const bare = count((answer) => !(answer instanceof Error) && answer.status === 503 && !answer.retryAfter)
  const other = answers.length - taken - shed
  if (offered < LEAST_TIMES_TOO_MUCH)
    violations.push(`only ${offered.toFixed(1)} times too much could be sent`)
  if (shed === 0) violations.push('nothing was refused')
  if (bare > 0) violations.push(`${bare} refusals do not say when to come again`)
  if (other > 0) violations.push(`${other} were neither taken nor refused`)
  violations.push(...(await whetherWell(write)))
  return {
    what: `requests that came ${offered.toFixed(1)} times too fast (it can take ${canTake.toFixed(0)} a second; ${taken} taken, ${shed} refused)`,
    times: answers.length,
    violations,
  }
}

/** Something that costs: a message, each by another pair. */
async function openTalk({ ask }: Place, people: Somebody[]): Promise<() => Promise<Heard>> {
  const [owner] = people
  if (!owner) throw new Error('nobody is there')
  const lamp = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh', maxBudget: 0 }
  const { id } = JSON.parse((await ask('POST /api/wanted-items', { ...owner, json: lamp })).body)
  let turn = 0
  return () => {
    turn = (turn % (people.length - 1)) + 1
    const json = { wantedItemId: id, receiverId: owner.id, content: 'Still wanted?' }
    return ask('POST /api/messages', { cookie: people[turn]?.cookie ?? '', json })
  }
}

const FULL_CONNECTIONS = 64

async function mostPerSecond(write: () => Promise<Heard>, seconds: number): Promise<number> {
  const until = performance.now() + seconds * 1000
  let answered = 0
  const keepOn = async () => {
    while (performance.now() < until) {
      const { status } = await write()
      if (status === TAKEN) answered++
    }
  }
  await Promise.all(Array.from({ length: FULL_CONNECTIONS }, keepOn))
  return answered / seconds
}

async function watchHealth(ask: Ask, until: number): Promise<string[]> {
  const violations: string[] = []
  while (performance.now() < until) {
    for (const path of ['/healthz', '/readyz']) {
      const { status, tookMs } = await ask(`GET ${path}`)
      if (status !== 200) violations.push(`${path} was answered with ${status}`)
      if (tookMs > HEALTH_WITHIN_MS) violations.push(`${path} took ${tookMs.toFixed(0)} ms`)
    }
    await wait(HEALTH_EVERY_MS)
  }
  return violations.slice(0, SHOWN)
}

async function whetherWell(write: () => Promise<Heard>): Promise<string[]> {
  await wait(WELL_WITHIN_MS)
  const answers = await Promise.all(Array.from({ length: 20 }, write))
  const unwell = answers.filter(({ status }) => status !== TAKEN)
  return unwell.map(
    ({ status }) => `after ${WELL_WITHIN_MS} ms of rest a message was answered with ${status}`,
  )
}

function percentile(timesMs: number[], part: number): number {
  return timesMs.toSorted((a, b) => a - b)[Math.ceil(timesMs.length * part) - 1] ?? Number.NaN
}
