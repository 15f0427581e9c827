import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StaffRole } from '@sought/contract/call'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import pg from 'pg'
import { afterAll, beforeAll, inject, onTestFinished } from 'vitest'
import { buildApp } from '../app.ts'
import { readConfig } from '../core/config.ts'
import { createLog } from '../core/log.ts'
import { createServices } from '../create-services.ts'
import { admins } from '../database/schema.ts'
import { verificationEmail } from '../features/identity/accounts/emails.ts'
import { hashingCost, hashPassword } from '../features/identity/accounts/passwords.ts'
import { enqueueAccountEmail } from '../features/notifications/enqueue-emails.ts'
import { cardBrowserOf, VISA } from '../market-builder/card-browser.ts'
import { type CopiedGiven, createCopiedGiven } from '../market-builder/copied-given.ts'
import { cookieValueOf, insertPeople, SESSION_MS } from '../market-builder/insert-people.ts'
import type * as builder from '../market-builder/send.ts'
import { createInProcessSend } from '../market-builder/send-in-process.ts'
import type { Services } from '../services.ts'

/** A server with its own database, an adjustable clock and test users. */
export interface World {
  app: FastifyInstance
  services: Services
  /** A direct connection to PostgreSQL, even if the server uses a pooler. */
  sql: pg.Pool
  advanceClock(byMs: number): void
  visitor: Caller
  /** Creates a user with a session and a verified email, otherwise in the same state as after sign-up. Users with the same name get different emails. */
  signUp(name: string, role?: StaffRole): Promise<Person>
  /** Makes a user a member of the team. */
  appoint(person: { id: string }): Promise<unknown>
  /** Makes requests and deals in any state. */
  given: CopiedGiven<Person>
}

export type Caller = (
  call: string,
  body?: object,
  options?: Omit<InjectOptions, 'method' | 'url' | 'body'>,
) => Promise<LightMyRequestResponse>

export interface Person extends builder.Person {
  email: string
  cookie: string
  call: Caller
}

/** Hashing is slow on purpose, and tests sign in hundreds of times. */
const TEST_HASHING = { memoryCost: 8, timeCost: 1 }
const productionHashing = { ...hashingCost }
Object.assign(hashingCost, TEST_HASHING)

/** Lasts until the end of the test. */
export function hashAsInProduction(): void {
  Object.assign(hashingCost, productionHashing)
  onTestFinished(() => void Object.assign(hashingCost, TEST_HASHING))
}

let hasVerifiedEmails = true

/** For files whose tests are about addresses that nobody has verified yet. */
export function leaveEmailsUnverified(): void {
  beforeAll(() => {
    hasVerifiedEmails = false
  })
  afterAll(() => {
    hasVerifiedEmails = true
  })
}

export const PASSWORD = 'correct horse'
const hashed = hashPassword(PASSWORD)
/**
 * Test users need not confirm their identity, however far a test moves the clock. This does not apply to sign-ins.
 */
const AFTER_ALL_TESTS = new Date('2200-01-01')
const METRICS_TOKEN = 'the metrics token of the tests'
export const METRICS_ACCESS = { headers: { authorization: `Bearer ${METRICS_TOKEN}` } }

interface TestDatabase {
  url: string
  drop(): Promise<void>
}

/** Creates an empty database on the PostgreSQL of the test run. */
export async function createDatabase({ migrated = true } = {}): Promise<TestDatabase> {
  const template = new URL(inject('postgresUrl'))
  const url = new URL(template)
  const name = `test_${randomUUID().replaceAll('-', '')}`
  url.pathname = `/${name}`
  const source = migrated ? template.pathname.slice(1) : 'template0'
  admin ??= connectAdmin(template)
  await (await admin).query(`create database ${name} template ${source} strategy file_copy`)
  return { url: url.href, drop: () => drop(name) }
}

/** One connection of each test worker creates and drops its databases. */
let admin: Promise<pg.Client> | undefined

async function connectAdmin(template: URL): Promise<pg.Client> {
  const url = new URL(template)
  // Not the template database: PostgreSQL cannot copy a database with connections.
  url.pathname = '/template1'
  const client = new pg.Client({ connectionString: url.href })
  // PostgreSQL may end before the worker. Without a listener, that would be an unhandled error.
  client.on('error', () => {})
  await client.connect()
  return client
}

export async function openDatabase(options: { migrated?: boolean } = {}): Promise<string> {
  const { url, drop } = await createDatabase(options)
  onTestFinished(drop)
  return url
}

const DATABASE_IN_USE = '55006'

/** Retries, since an ended pool may still be closing its connections. */
async function drop(name: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    try {
      await (await admin)?.query(`drop database ${name}${poolerPort ? ' with (force)' : ''}`)
      return
    } catch (error) {
      if (!(error instanceof pg.DatabaseError && error.code === DATABASE_IN_USE)) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  throw new Error(`${name} is still in use: a test left a connection open`)
}

/**
 * A world for one test. `env` sets environment variables, including the database. `logged` receives each line of
 * the log.
 */
export async function openWorld(
  env: Record<string, string> = {},
  logged?: (line: string) => void,
): Promise<World> {
  const world = await createWorld(env, logged)
  onTestFinished(world.close)
  return world
}

/** One world for all tests of a file. */
export function shareWorld(env: Record<string, string> = {}): () => World {
  let world: (World & { close(): Promise<void> }) | undefined
  beforeAll(async () => {
    world = await createWorld(env)
  })
  afterAll(() => world?.close())
  return () => {
    if (!world) throw new Error('the world exists only while tests run')
    return world
  }
}

/** Set by `npm run proof -- pgbouncer`, which runs the tests through a pooler. */
const poolerPort = process.env.TEST_POOLER_PORT

function throughPooler(databaseUrl: string): string {
  if (!poolerPort) return databaseUrl
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${poolerPort}`
  url.searchParams.delete('host')
  return url.href
}

async function createWorld(
  env: Record<string, string>,
  logged?: (line: string) => void,
): Promise<World & { close(): Promise<void> }> {
  const given = env.DATABASE_URL
  const { url: directUrl, drop } = given ? { url: given, drop: async () => {} } : await createDatabase()
  const databaseUrl = throughPooler(directUrl)
  const dataDir = await mkdtemp(join(tmpdir(), 'sought-test-'))
  const config = readConfig({
    DATABASE_URL: databaseUrl,
    DATABASE_DIRECT_URL: directUrl,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    // Tests load the machine, but the server must not refuse their requests because of that.
    LOAD_SHEDDING: 'off',
    METRICS_TOKEN,
    ...env,
  })
  let clockOffsetMs = 0
  const clock = () => new Date(Date.now() + clockOffsetMs)
  const log = createLog({ level: config.logLevel, ...(logged && { destination: { write: logged } }) })
  const services = await createServices(config, databaseUrl, clock, log)
  // As the first start would have stored it.
  if (env.CURRENCY)
    await services.database.direct.query('update installation set currency = $1', [env.CURRENCY])
  const app = await buildApp(services, { ready: true }, log)
  const close = async () => {
    await services.events.stop()
    services.mailer?.close()
    await services.sandbox?.close()
    await app.close()
    await services.database.close()
    await rm(dataDir, { recursive: true, force: true })
    await drop()
  }

  const callerWith =
    (cookie?: string): Caller =>
    (call, body, options = {}) => {
      const [method, url] = call.split(' ') as [InjectOptions['method'] & string, string]
      return app.inject({
        ...options,
        method,
        url,
        ...(body && { body }),
        headers: { ...(cookie && { cookie }), ...options.headers },
      })
    }
  const visitor = callerWith()
  const nameCounts = new Map<string, number>()
  const numberOf = (name: string) => {
    const count = (nameCounts.get(name) ?? 0) + 1
    nameCounts.set(name, count)
    return count === 1 ? '' : count
  }

  const sendAs = createInProcessSend(services)
  async function signUp(name: string, role?: StaffRole): Promise<Person> {
    const email = `${name.toLowerCase()}${numberOf(name)}@example.com`
    const [id, sid] = [randomUUID(), randomUUID()]
    const password = await hashed
    await services.database.transact(async (tx) => {
      const names = { firstName: name, lastName: 'Tester' }
      const emailVerifiedAt = hasVerifiedEmails ? tx.now : null
      const person = { id, email, emailVerifiedAt, password, ...names, role, sid }
      const expire = new Date(tx.now.getTime() + SESSION_MS)
      await insertPeople(tx, [person], { now: tx.now, confirmedAt: AFTER_ALL_TESTS, expire })
      tx.activities.push('sign_up')
      await enqueueAccountEmail(tx, verificationEmail, { userId: id, address: email })
    })
    const cookieName = services.config.production ? '__Host-sid' : 'sid'
    const cookie = `${cookieName}=${cookieValueOf(sid, services.secrets.sessionKeys)}`
    return { id, email, cookie, call: callerWith(cookie), send: sendAs(id) }
  }

  return {
    close,
    app,
    services,
    sql: services.database.direct,
    advanceClock: (byMs) => {
      clockOffsetMs += byMs
    },
    visitor,
    signUp,
    appoint: ({ id }) => services.database.read.insert(admins).values({ userId: id }),
    given: createCopiedGiven(services, {
      addPerson: signUp,
      async enterCard(clientSecret) {
        await cardBrowserOf(services).enterCard(clientSecret, VISA)
      },
    }),
  }
}

/** The session cookie of a reply, as a Cookie header. */
export function cookieOf(reply: LightMyRequestResponse): string {
  const set = reply.cookies.find(({ name, value }) => /^(__Host-)?sid$/.test(name) && value !== '')
  return set ? `${set.name}=${encodeURIComponent(set.value)}` : ''
}
