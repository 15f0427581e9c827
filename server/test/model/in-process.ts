import { createHmac, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Sandbox, startSandbox } from '@sought/sandbox/sandbox'
import type { InjectOptions } from 'fastify'
import { Logger, runOnce } from 'graphile-worker'
import pg from 'pg'
import { pino } from 'pino'
import { buildApp } from '../../src/app.ts'
import { createServices } from '../../src/create-services.ts'
import { sweeps } from '../../src/jobs/sweeps.ts'
import { tidyUp } from '../../src/jobs/tidy-up.ts'
import { tasksOf } from '../../src/jobs/worker.ts'
import { readConfig } from '../../src/platform/config.ts'
import { isUnavailable } from '../../src/platform/database.ts'
import type { Services } from '../../src/platform/services.ts'
import { createStripe } from '../../src/providers/stripe/stripe.ts'
import { type Answer, type Market, NO_ANSWER, type Somebody } from './market.ts'
import { askProvider, cardForm, readAnswer } from './provider-client.ts'
import { keepStatusLog } from './status-log.ts'
import type { Tally } from './tally.ts'
import { createTrouble, TIMEOUT_MS, type Trouble } from './trouble.ts'

export type SweepName = keyof typeof sweeps

/** A market inside this process: its clock can be turned, its provider made to fail, its jobs run at will. */
export interface InProcessMarket extends Market {
  services: Services
  trouble: Trouble
  turnClock(byMs: number): void
  /** How far the clock was turned in this round. */
  roundMs(): number
  /** False where the database had no room for it just then. */
  sweep(name: SweepName): Promise<boolean>
  /** Those that wait for another try too, once they are overdue. */
  runJobs(which?: { overdue: boolean }): Promise<boolean>
  tidyUp(): Promise<void>
  /** Delivers an event to the webhook, signed by the provider, past everything that may happen on the way. */
  deliver(event: object): Promise<Answer>
  cancelIntent(intentId: string): Promise<Answer>
  signUp(): Promise<Somebody>
  /** Calls the provider with little patience, and with none of the SDK's repetitions if so wished; or as always. */
  havePatience(patience: 'little' | 'little, and one more try' | 'as always'): void
  /** Lets everything arrive that is on its way to the webhook. */
  letArrive(): Promise<void>
  /** From here the turns of the clock are counted, and nobody's session runs out because of those before. */
  beginRound(): Promise<void>
  close(): Promise<void>
}

const QUIET_WITHIN_MS = 60_000

export async function openInProcess(databaseUrl: string, tally: Tally): Promise<InProcessMarket> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sought-model-'))
  const config = readConfig({
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    RATE_LIMIT: 'off',
  })
  let turnedMs = 0
  let roundBeganMs = 0
  const clock = () => new Date(Date.now() + turnedMs)
  const log = pino({ level: config.logLevel })
  const services = await createServices(config, databaseUrl, clock, log)
  const app = await buildApp(services, { ready: true }, log)
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const trouble = createTrouble(tally)
  const host = services.sandbox
  const patient = services.cards
  if (!host?.keys.apiUrl || !patient) throw new Error('the model needs the sandbox')
  const { keys, webhookSecret } = host
  const apiUrl = host.keys.apiUrl
  const sandbox: Sandbox = await startSandbox({
    ...keys,
    port: Number(new URL(apiUrl).port),
    publicUrl: host.url,
    databaseUrl,
    webhook: { url: `${address}/api/stripe/webhook`, secret: webhookSecret },
    dashboard: true,
    clock,
    faults: trouble.faults,
    log,
  })
  // Whoever watches must not take the connections of those who are watched.
  const sql = new pg.Pool({ connectionString: databaseUrl, max: 4 })
  await keepStatusLog(sql)
  const little = (retries: number) =>
    createStripe({
      ...keys,
      webhookSecret,
      publicUrl: config.publicUrl,
      currency: config.currency,
      clock,
      patience: { timeoutMs: TIMEOUT_MS, retries },
    })
  const cards = {
    little: little(0),
    'little, and one more try': little(1),
    'as always': patient,
  }
  const provider = { url: apiUrl, key: keys.publishableKey }

  const call: Market['call'] = async (who, call, body) => {
    const [method, url] = call.split(' ') as [InjectOptions['method'] & string, string]
    const headers = who ? { cookie: who.cookie } : {}
    const reply = await app.inject({ method, url, headers, ...(body && { body }) })
    return { status: reply.statusCode, body: reply.json() }
  }

  const deliverOnce = async (body: string): Promise<Answer> => {
    const time = Math.floor(clock().getTime() / 1000)
    const signed = createHmac('sha256', webhookSecret).update(`${time}.${body}`).digest('hex')
    const reply = await app.inject({
      method: 'POST',
      url: '/api/stripe/webhook',
      body,
      headers: { 'content-type': 'application/json', 'stripe-signature': `t=${time},v1=${signed}` },
    })
    return { status: reply.statusCode, body: reply.json() }
  }

  return {
    services,
    sql,
    tally,
    trouble,
    mayDie: false,
    now: clock,
    call,
    enterCard: (secret, number) => askProvider(provider, 'POST', ...cardForm(secret, number)),
    async openPage(address) {
      const page = await fetch(sandboxAddress(apiUrl, address)).catch(() => null)
      return (await page?.text()) ?? ''
    },
    async press(address) {
      const options = { method: 'POST', redirect: 'manual' } as const
      return fetch(sandboxAddress(apiUrl, address), options).then(readAnswer, () => NO_ANSWER)
    },
    turnClock(byMs) {
      turnedMs += byMs
    },
    sweep: (name) => ifThereIsRoom(() => sweeps[name](services)),
    async runJobs({ overdue } = { overdue: false }) {
      // The jobs' own clock is the database's, which nobody can turn.
      if (overdue)
        await sql.query('update graphile_worker._private_jobs set run_at = now() where run_at > now()')
      return ifThereIsRoom(() =>
        runOnce({
          pgPool: services.database.pool,
          taskList: tasksOf(services),
          concurrency: 3,
          logger: new Logger(() => () => {}),
          noHandleSignals: true,
        }),
      )
    },
    tidyUp: () => tidyUp(services, clock()),
    async deliver(event) {
      for (;;) {
        const signedAtMs = turnedMs
        const answer = await deliverOnce(JSON.stringify(event))
        // Where the clock was turned on the way, the signature is rightly too old: it is sent again.
        if (answer.status === 200 || signedAtMs === turnedMs) return answer
      }
    },
    cancelIntent: (intentId) =>
      askProvider({ url: apiUrl, key: keys.secretKey }, 'POST', `/v1/payment_intents/${intentId}/cancel`, {}),
    async signUp() {
      const body = {
        email: `${randomUUID()}@example.com`,
        password: 'correct horse',
        firstName: 'Model',
        lastName: 'Person',
      }
      const reply = await app.inject({ method: 'POST', url: '/api/auth/signup', body })
      const [cookie] = reply.cookies
      return { id: reply.json().id, cookie: `${cookie?.name}=${encodeURIComponent(cookie?.value ?? '')}` }
    },
    havePatience(patience) {
      services.cards = cards[patience]
    },
    async letArrive() {
      await sandbox.releaseHeld()
      const deadline = Date.now() + QUIET_WITHIN_MS
      while (!(await isQuiet(services, sandbox, clock()))) {
        if (Date.now() > deadline) throw new Error('the provider does not come to rest')
        await wait(20)
      }
    },
    roundMs: () => turnedMs - roundBeganMs,
    async beginRound() {
      roundBeganMs = turnedMs
      await sql.query('update sessions set expire = $1', [new Date(clock().getTime() + 30 * 86_400_000)])
    },
    async close() {
      await services.events.stop()
      await sandbox.stop()
      await app.close()
      await services.database.close()
      await sql.end()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** On a machine that has too much to do the wait for a connection can be too long, and nothing is done then. */
async function ifThereIsRoom(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (isUnavailable(error)) return false
    throw error
  }
}

/** The sandbox's own address of a page that browsers reach through the server. */
const sandboxAddress = (apiUrl: string, address: string) =>
  apiUrl + new URL(address, apiUrl).pathname.replace(/^\/sandbox/, '')

/** No webhook is due, and no bank that took its time has yet to answer. */
async function isQuiet({ database }: Services, sandbox: Sandbox, now: Date): Promise<boolean> {
  const { rowCount } = await database.pool.query(
    'select from sandbox.objects where settle_at <= $1 limit 1',
    [now],
  )
  if (rowCount) return false
  const { rows } = await database.pool.query(
    `select count(*)::int as due from sandbox.deliveries where state = 'pending' and due_at <= $1`,
    [now],
  )
  if (rows[0].due > 0) return false
  return (await sandbox.waiting()).held === 0
}
