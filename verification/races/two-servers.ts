import { createHmac, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { buildApp } from '@sought/server/app'
import { createServices } from '@sought/server/create-services'
import { readConfig } from '@sought/server/platform/config'
import { migrate } from '@sought/server/platform/migrate'
import type { Services } from '@sought/server/platform/services'
import type { FastifyInstance, InjectOptions } from 'fastify'
import pg from 'pg'
import { pino } from 'pino'
import type { Random } from '../support/random.ts'
import { createMemoryProvider, type MemoryProvider } from './in-memory-provider.ts'
import { watchLocks } from './lock-monitor.ts'

const WEBHOOK_SECRET = 'whsec_races'
const POOL_OF_WATCHERS = 2
const BUSY_MS = 100
const TOO_LONG_MS = 10_000

/** An answer in one word: ok, or the refusal. */
type Answer = string

export interface Server {
  app: FastifyInstance
  services: Services
  /** `POST /api/…`, as the person whose session it is. */
  call(userId: string | null, call: string, body?: object): Promise<{ answer: Answer; body: unknown }>
  /** The provider says that an intent was paid. */
  deliver(intentId: string): Promise<Answer>
}

/** Two servers on one database: what one has in its memory is no help to the other. */
export interface TwoServers {
  servers: readonly [Server, Server]
  sql: pg.Pool
  provider: MemoryProvider
  /** Tells what was wrong with the locks meanwhile. */
  close(): Promise<string[]>
}

export async function openTwoServers(postgresUrl: string, random: Random): Promise<TwoServers> {
  const { url, drop } = await createDatabase(postgresUrl)
  const dataDir = await mkdtemp(join(tmpdir(), 'sought-races-'))
  const config = readConfig({
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    RATE_LIMIT: 'off',
    LOAD_SHEDDING: 'off',
    STRIPE_SECRET_KEY: 'sk_test_races',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_races',
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
  })
  const log = pino({ level: config.logLevel })
  const both = [
    await createServices(config, url, () => new Date(), log),
    await createServices(config, url, () => new Date(), log),
  ] as const
  const [{ cards }] = both
  if (!cards) throw new Error('keys make a provider')
  const provider = createMemoryProvider(cards, random)
  const open = async (services: Services) => {
    services.cards = provider
    return asServer(await buildApp(services, { ready: true }, log), services)
  }
  const servers = [await open(both[0]), await open(both[1])] as const
  const sql = new pg.Pool({ connectionString: url, max: POOL_OF_WATCHERS })
  const locks = watchLocks(url)

  return {
    servers,
    sql,
    provider,
    async close() {
      await sql.end()
      for (const { app, services } of servers) {
        await services.events.stop()
        await app.close()
        await services.database.close()
      }
      await rm(dataDir, { recursive: true, force: true })
      const problems = await locks.problems()
      await drop()
      return problems
    },
  }
}

function asServer(app: FastifyInstance, services: Services): Server {
  const cookies = new Map<string, string>()
  const cookieOf = (userId: string) => {
    const cookie = cookies.get(userId) ?? `sid=${encodeURIComponent(app.signCookie(sidOf(userId)))}`
    cookies.set(userId, cookie)
    return cookie
  }
  /** A server that is asked for more than it can do says so and does nothing: then it is asked again. */
  async function inject(options: InjectOptions) {
    for (;;) {
      const reply = await Promise.race([app.inject(options), wait(TOO_LONG_MS, null, { ref: false })])
      if (!reply) return { answer: 'no answer', body: null }
      const body: unknown = reply.json()
      const answer = reply.statusCode < 300 ? 'ok' : refusalIn(reply.statusCode, body)
      if (answer !== '503 unavailable') return { answer, body }
      await wait(BUSY_MS)
    }
  }

  return {
    app,
    services,
    call(userId, call, body) {
      const [method, url] = call.split(' ') as [InjectOptions['method'] & string, string]
      const headers = userId === null ? {} : { cookie: cookieOf(userId) }
      return inject({ method, url, headers, ...(body && { body }) })
    },
    async deliver(intentId) {
      const object = { id: intentId, object: 'payment_intent' }
      const event = {
        id: `evt_${randomUUID()}`,
        object: 'event',
        type: 'payment_intent.succeeded',
        data: { object },
      }
      const body = JSON.stringify(event)
      const time = Math.floor(Date.now() / 1000)
      const signature = createHmac('sha256', WEBHOOK_SECRET).update(`${time}.${body}`).digest('hex')
      const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${time},v1=${signature}` }
      return (await inject({ method: 'POST', url: '/api/stripe/webhook', headers, body })).answer
    },
  }
}

/** The code of a refusal; an answer without one, or of our own fault, keeps its status in sight. */
function refusalIn(status: number, body: unknown): string {
  const code = typeof body === 'object' && body !== null && 'code' in body ? String(body.code) : 'no code'
  return status >= 500 ? `${status} ${code}` : code
}

/** Sessions are written by the hand that writes the people. */
export const sidOf = (userId: string) => `session-of-${userId}`

async function createDatabase(postgresUrl: string) {
  const name = `races_${randomUUID().replaceAll('-', '')}`
  const url = new URL(postgresUrl)
  url.pathname = `/${name}`
  const admin = async (statement: string) => {
    const client = new pg.Client({ connectionString: postgresUrl })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  await admin(`create database ${name} template template0`)
  await migrate(url.href)
  return { url: url.href, drop: () => admin(`drop database ${name} with (force)`) }
}
