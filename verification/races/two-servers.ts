import { createHmac, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { buildApp } from '@sought/server/app'
import { readConfig } from '@sought/server/core/config'
import { createServices } from '@sought/server/create-services'
import type { Services } from '@sought/server/services'
import type { FastifyInstance, InjectOptions } from 'fastify'
import type pg from 'pg'
import { pino } from 'pino'
import type { Random } from '../support/random.ts'
import { createTemporaryDatabase, openPool } from '../support/temporary-database.ts'
import { createInMemoryProvider, type InMemoryProvider } from './in-memory-provider.ts'
import { monitorLocks } from './lock-monitor.ts'

const WEBHOOK_SECRET = 'whsec_races'
const CHECK_CONNECTIONS = 2
const RETRY_MS = 100
const TOO_LONG_MS = 10_000

/** 'ok', or the code of the refusal. */
type Answer = string

export interface Server {
  app: FastifyInstance
  services: Services
  /** A call such as `POST /api/…` by a user, or by a visitor. */
  call(userId: string | null, call: string, body?: object): Promise<{ answer: Answer; body: unknown }>
  /** Delivers the event that an intent was paid. */
  deliver(intentId: string): Promise<Answer>
}

/** Two servers that share only the database. */
export interface TwoServers {
  servers: readonly [Server, Server]
  sql: pg.Pool
  provider: InMemoryProvider
  /** Returns deadlocks and long lock waits. */
  close(): Promise<string[]>
}

export async function openTwoServers(
  postgresUrl: string,
  random: Random,
  rateLimit: 'on' | 'off' = 'off',
): Promise<TwoServers> {
  const { url, drop } = await createTemporaryDatabase(postgresUrl)
  const dataDir = await mkdtemp(join(tmpdir(), 'sought-races-'))
  const config = readConfig({
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    RATE_LIMIT: rateLimit,
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
  if (!cards) throw new Error('there is no card provider')
  const provider = createInMemoryProvider(cards, random)
  const open = async (services: Services) => {
    services.cards = provider
    return asServer(await buildApp(services, { ready: true }, log), services)
  }
  const servers = [await open(both[0]), await open(both[1])] as const
  const sql = openPool(url, CHECK_CONNECTIONS)
  const locks = monitorLocks(url)

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
    const cookie = cookies.get(userId) ?? `sid=${encodeURIComponent(app.signCookie(sessionIdOf(userId)))}`
    cookies.set(userId, cookie)
    return cookie
  }
  /** An overloaded server refuses without doing anything, so the call is repeated. */
  async function inject(options: InjectOptions) {
    for (;;) {
      const reply = await Promise.race([app.inject(options), wait(TOO_LONG_MS, null, { ref: false })])
      if (!reply) return { answer: 'no answer', body: null }
      const body: unknown = reply.json()
      const answer = reply.statusCode < 300 ? 'ok' : refusalOf(reply.statusCode, body)
      if (answer !== '503 unavailable') return { answer, body }
      await wait(RETRY_MS)
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

/** The code of a refusal, with the status of a server error. */
function refusalOf(status: number, body: unknown): string {
  const code = typeof body === 'object' && body !== null && 'code' in body ? String(body.code) : 'no code'
  return status >= 500 ? `${status} ${code}` : code
}

/** Fixtures insert the session of a user under this id. */
export const sessionIdOf = (userId: string) => `session-of-${userId}`
