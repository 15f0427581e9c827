import { fork } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type {} from '@fastify/cookie'
import fastify from 'fastify'
import { pino } from 'pino'
import { buildApp } from '../server/src/app.ts'
import { readConfig } from '../server/src/core/config.ts'
import { createServices } from '../server/src/create-services.ts'
import { type Database, openPool } from '../server/src/database/database.ts'
import { createClient, type RequestOptions } from '../verification/load/http-client.ts'
import { changeMarketSettings } from '../verification/support/market-settings.ts'
import { type Row, report } from './measure.ts'
import { formatRate, median } from './throughput.ts'

/*
 * Compares a post, an offer and a message with a bare route that finds the session and makes the same inserts in one
 * transaction. The difference is what the product checks: the input, blocks, limits, scams, duplicates and terms. Jobs
 * are added by both, and run by none.
 */

const PEOPLE = 200
const CONNECTIONS = 16
const ROUND_SECONDS = 2
const ROUNDS = 5
const MIN_RATIO = 0.5

const userIdOf = (n: number) => `writer${n % PEOPLE}`

/** Each person has one request, and a session with their user id as its id. */
const PEOPLE_SQL = `
  with people as (
    insert into users (id, email, email_verified_at, first_name, last_name)
    select 'writer' || n, 'writer' || n || '@example.com', now(), 'Writer', 'Person ' || n
    from generate_series(0, $1::int - 1) n returning id
  ), open_sessions as (
    insert into sessions (sid, sess, expire)
    select id, jsonb_build_object('userId', id, 'createdAt', now()), now() + interval '30 days' from people
  )
  insert into wanted_items (title, description, category, location, user_id)
  select 'A lamp', 'Green', 'Other', 'Ipoh', id from people
  returning id, user_id`

type Kind = 'post' | 'offer' | 'message'
type Build = (at: number) => [call: string, json: object]

interface Server {
  send: ReturnType<typeof createClient>
  cookies: string[]
  stop(): void
}

export async function compareWrites(database: Database, databaseUrl: string): Promise<boolean> {
  await changeMarketSettings(databaseUrl, { openRequestsMax: null })
  const { rows } = await database.pool.query<{ id: number; user_id: string }>(PEOPLE_SQL, [PEOPLE])
  const itemOf = new Map(rows.map(({ id, user_id }) => [user_id, id]))
  const builders: Record<Kind, Build> = {
    post: (at) => ['POST /api/wanted-items', { ...LAMP, title: `Lamp ${at}` }],
    offer: (at) => ['POST /api/offers', { ...toOwner(itemOf, ownerFor(at)), amount: 4_000 }],
    message: (at) => ['POST /api/messages', { ...toOwner(itemOf, ownerFor(at)), content: `Message ${at}` }],
  }
  const full = await startServer('full', databaseUrl)
  const minimal = await startServer('minimal', databaseUrl)
  const tables: Row[] = []
  let at = 0
  const measure = (server: Server, build: Build) => writesPerSecond(server, build, () => at++)
  try {
    for (const [kind, build] of Object.entries(builders)) {
      const rounds: [number, number][] = []
      for (let round = 0; round <= ROUNDS; round++) {
        const rates: [number, number] = [await measure(full, build), await measure(minimal, build)]
        // The first round is a warm-up.
        if (round > 0) rounds.push(rates)
      }
      const [ours = 0, bare = 0] = [0, 1].map((of) => median(rounds.map((rates) => rates[of] ?? 0)))
      const ratio = median(rounds.map(([one, other]) => one / other))
      tables.push({
        cells: [kind, formatRate(bare), formatRate(ours), ratio.toFixed(2), `at least ${MIN_RATIO}`],
        ok: ratio >= MIN_RATIO,
      })
    }
  } finally {
    full.stop()
    minimal.stop()
  }
  return report(
    `Writes, ${CONNECTIONS} connections, median of ${ROUNDS} rounds of ${ROUND_SECONDS} s`,
    ['', 'minimal route', 'full server', 'ratio', 'limit'],
    tables,
  )
}

const LAMP = { description: 'Green', category: 'Other', location: 'Ipoh', maxBudget: 0 }

/** A seller has at most one open offer on a request, so each write is by another pair of people. */
const ownerFor = (at: number) => userIdOf(at + 1 + Math.floor(at / PEOPLE))

const toOwner = (itemOf: ReadonlyMap<string, number>, receiverId: string) => ({
  wantedItemId: itemOf.get(receiverId),
  receiverId,
})

async function writesPerSecond({ send, cookies }: Server, build: Build, next: () => number): Promise<number> {
  const startMs = performance.now()
  const until = startMs + ROUND_SECONDS * 1000
  let answered = 0
  const write = async () => {
    while (performance.now() < until) {
      const at = next()
      const [call, json] = build(at)
      const { status, body } = await send(call, { cookie: cookies[at % PEOPLE], json } as RequestOptions)
      if (status !== 201) throw new Error(`${call}: ${status} ${body}`)
      answered++
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, write))
  return answered / ((performance.now() - startMs) / 1000)
}

interface Started {
  address: string
  cookies: string[]
}

async function startServer(which: 'full' | 'minimal', databaseUrl: string): Promise<Server> {
  const child = fork(import.meta.filename, [which, databaseUrl])
  const [{ address, cookies }]: [Started] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error(`the ${which} server did not start`))),
  ])) as [Started]
  return { send: createClient(address), cookies, stop: () => child.disconnect() }
}

const cookiesOf = (sign: (userId: string) => string) =>
  Array.from({ length: PEOPLE }, (_, n) => `sid=${sign(userIdOf(n))}`)

async function startFull(databaseUrl: string): Promise<Started> {
  const dataDir = join(tmpdir(), `sought-bench-${process.pid}`)
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }))
  const settings = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, LOG_LEVEL: 'silent' }
  const config = readConfig({ ...settings, RATE_LIMIT: 'off', LOAD_SHEDDING: 'off' })
  const log = pino({ level: 'silent' })
  const services = await createServices(config, databaseUrl, () => new Date(), log)
  const app = await buildApp(services, { ready: true }, log)
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  return { address, cookies: cookiesOf((userId) => encodeURIComponent(app.signCookie(userId))) }
}

const SESSION = `select users.* from sessions join users on users.id = sess ->> 'userId' where sid = $1 and expire > now()`

const POST = `
  with item as (
    insert into wanted_items (title, description, category, location, max_budget, user_id)
    values ($1, $2, $3, $4, $5, $6) returning *
  ), job as (
    select graphile_worker.add_job('match-searches', json_build_object('itemId', item.id)) from item
  )
  select item.* from item, job`

/** The notification of a write, its email, its job and its announcements. */
const toldAbout = (kind: string) => `
  note as (
    insert into notifications (user_id, kind, key, actor_id, wanted_item_id)
    select $2, '${kind}', '${kind}:' || written.id, $3, $1 from written returning id, user_id
  ), mail as (
    insert into mails (user_id, address, kind, notification_id)
    select $2, 'somebody@example.com', '${kind}', note.id from note returning id
  ), job as (
    select graphile_worker.add_job('send-mail', json_build_object('mailIds', json_build_array(mail.id))) from mail
  ), told as (
    select announce('changes', json_build_object('to', json_build_array($2, $3), 'change', '{}'::json)::text),
      announce('changes', json_build_object('to', json_build_array($2), 'change', '{}'::json)::text)
  )
  select written.* from written, job, told`

const OFFER = `
  with written as (
    insert into offers (wanted_item_id, buyer_id, seller_id, amount, expires_at)
    values ($1, $2, $3, $4, now() + interval '7 days') returning *
  ), ${toldAbout('offer_made')}`

const MESSAGE = `
  with written as (
    insert into messages (wanted_item_id, receiver_id, sender_id, content) values ($1, $2, $3, $4) returning *
  ), ${toldAbout('message')}`

interface Body {
  title: string
  description: string
  category: string
  location: string
  maxBudget: number
  wantedItemId: number
  receiverId: string
  amount: number
  content: string
}

async function startMinimal(databaseUrl: string): Promise<Started> {
  const pool = openPool(databaseUrl, console.error)
  const app = fastify()
  const write = (path: string, statement: string, valuesOf: (body: Body, userId: string) => unknown[]) =>
    app.post<{ Body: Body }>(path, async ({ body, headers }, reply) => {
      const { rows: users } = await pool.query(SESSION, [headers.cookie?.slice('sid='.length)])
      const client = await pool.connect()
      try {
        await client.query('begin')
        const { rows } = await client.query(statement, valuesOf(body, users[0].id))
        await client.query('commit')
        reply.code(201)
        return rows[0]
      } finally {
        client.release()
      }
    })
  write('/api/wanted-items', POST, ({ title, description, category, location, maxBudget }, userId) => [
    title,
    description,
    category,
    location,
    maxBudget,
    userId,
  ])
  const about = ({ wantedItemId, receiverId }: Body, userId: string) => [wantedItemId, receiverId, userId]
  write('/api/offers', OFFER, (body, userId) => [...about(body, userId), body.amount])
  write('/api/messages', MESSAGE, (body, userId) => [...about(body, userId), body.content])
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  return { address, cookies: cookiesOf((userId) => userId) }
}

const [which, databaseUrl] = process.argv.slice(2)
if (import.meta.main && databaseUrl) {
  process.send?.(await (which === 'full' ? startFull(databaseUrl) : startMinimal(databaseUrl)))
  process.once('disconnect', () => process.exit())
}
