import { createHmac } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Config, readConfig } from '@sought/server/core/config'
import type { Keys } from '@sought/server/core/keys'
import { isUnavailable } from '@sought/server/database/database'
import { sweeps } from '@sought/server/jobs/sweeps'
import { tidyUp } from '@sought/server/jobs/tidy-up'
import { BATCHED_COMPLETION, buildTasks } from '@sought/server/jobs/worker'
import { cardForm } from '@sought/server/market-builder/card-browser'
import type { Services } from '@sought/server/services'
import { uploadOf } from '@sought/server/testing/multipart'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { Logger, runOnce, type WorkerEvents } from 'graphile-worker'
import type pg from 'pg'
import type { Counters } from '../support/counters.ts'
import { callProvider, methodForm, NO_REPLY, readReply } from '../support/provider-client.ts'
import { openPool } from '../support/temporary-database.ts'
import { createFaultInjector, type FaultInjector } from './fault-injection.ts'
import { openServer, type ProviderTimeouts, type Server } from './in-process-server.ts'
import type { Answer, Market } from './market.ts'
import type { CrashTrigger } from './simulated-crash.ts'
import { keepStatusLog } from './status-log.ts'

export type SweepName = keyof typeof sweeps

/** Two servers inside this process: the clock can be moved, the provider made to fail, and jobs run on demand. */
export interface InProcessMarket extends Market {
  faultInjector: FaultInjector
  sessionKeys: Keys
  /** The services of a running server. */
  services(): Services
  moveClock(byMs: number): void
  /** How far the clock was moved in this round. */
  roundMs(): number
  /** Returns false if the database was unavailable or the server crashed. */
  sweep(name: SweepName): Promise<boolean>
  /** Runs all due jobs. With `retries`, also those that wait for their next attempt. */
  runJobs(options?: { retries: boolean }): Promise<boolean>
  /** Runs a job on one of the servers. Errors are ignored, because a worker would only log them. */
  runOnServer(job: (services: Services) => Promise<unknown>): Promise<void>
  tidyUp(): Promise<void>
  /** Delivers a signed event to the webhook directly, without injected faults. */
  deliver(event: object): Promise<Answer>
  /** A call to the provider with the platform's secret key. */
  askProvider(path: string, form: Record<string, string>): Promise<Answer>
  /** New payments are in this currency. The provider settles all of them in dollars. */
  setCurrency(currency: Config['currency']): void
  setProviderTimeouts(timeouts: ProviderTimeouts): void
  /** Waits until all pending webhooks have arrived. */
  flushWebhooks(): Promise<void>
  /** Schedules a crash of a server. Another one then replaces it. */
  scheduleCrash(server: 0 | 1, trigger: CrashTrigger): void
  /** Cancels scheduled crashes, waits until both servers run, and unlocks the jobs of crashed ones. */
  recover(): Promise<void>
  beginRound(): void
  close(): Promise<void>
}

const SETTLED_WITHIN_MS = 60_000
const RETRY_MS = 50

export async function openInProcessMarket(databaseUrl: string, counters: Counters): Promise<InProcessMarket> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sought-simulation-'))
  const config = readConfig({
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    RATE_LIMIT: 'off',
    LOAD_SHEDDING: 'off',
  })
  let clockOffsetMs = 0
  let roundStartMs = 0
  let timeouts: ProviderTimeouts = 'production'
  const clock = () => new Date(Date.now() + clockOffsetMs)
  const faultInjector = createFaultInjector(counters)
  // A separate pool, so that checks do not use up the servers' connections.
  const sql = openPool(databaseUrl, 4)
  /** Retries until the database is available. */
  const open = async (): Promise<Server> => {
    try {
      const server = await openServer({ config, databaseUrl, clock, faultInjector })
      server.setProviderTimeouts(timeouts)
      return server
    } catch (error) {
      if (!isUnavailable(error)) throw error
      await wait(RETRY_MS)
      return open()
    }
  }
  const servers: [Server, Server] = [await open(), await open()]
  await keepStatusLog(sql)

  const replacing = new Set<Promise<void>>()
  const replaceAfterCrash = (index: 0 | 1) => {
    const { crashSwitch, close } = servers[index]
    const replaced = crashSwitch.crashed.then(async () => {
      counters.count('servers', 'crashed')
      await close()
      servers[index] = await open()
      replaceAfterCrash(index)
    })
    void crashSwitch.crashed.then(() => {
      replacing.add(replaced)
      void replaced.finally(() => replacing.delete(replaced))
    })
  }
  replaceAfterCrash(0)
  replaceAfterCrash(1)

  /** Alternates between the two, like a load balancer. Waits if both have crashed. */
  let turn = 0
  const runningServer = async (): Promise<Server> => {
    for (;;) {
      turn++
      const found = [0, 1]
        .map((step) => servers[((turn + step) % 2) as 0 | 1])
        .find(({ crashSwitch }) => !crashSwitch.hasCrashed())
      if (found) return found
      await Promise.race(replacing)
    }
  }

  const inject = async (options: InjectOptions): Promise<Answer> => {
    const { app, crashSwitch } = await runningServer()
    const reply = await crashSwitch.untilCrash(app.inject(options))
    return reply ? { status: reply.statusCode, body: bodyOf(reply), cookie: cookieOf(reply) } : NO_REPLY
  }

  const call: Market['call'] = async (who, call, body) => {
    const [method, url] = call.split(' ') as [InjectOptions['method'] & string, string]
    const headers = who ? { cookie: who.cookie } : {}
    return { ...(await inject({ method, url, headers, ...(body && { body }) })), by: who }
  }

  const webhookSecret = servers[0].services.sandbox?.webhookSecret ?? ''
  const deliverOnce = (body: string): Promise<Answer> => {
    const time = Math.floor(clock().getTime() / 1000)
    const signed = createHmac('sha256', webhookSecret).update(`${time}.${body}`).digest('hex')
    const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${time},v1=${signed}` }
    return inject({ method: 'POST', url: '/api/stripe/webhook', body, headers })
  }
  const keys = servers[0].services.sandbox?.keys
  const browserAccess = async () => ({ url: (await runningServer()).apiUrl, key: keys?.publishableKey ?? '' })
  const serverAccess = async () => ({ url: (await runningServer()).apiUrl, key: keys?.secretKey ?? '' })

  return {
    sql,
    counters,
    faultInjector,
    sessionKeys: servers[0].services.secrets.sessionKeys,
    services: () => (servers.find(({ crashSwitch }) => !crashSwitch.hasCrashed()) ?? servers[0]).services,
    now: clock,
    call,
    async upload(who, call, file) {
      const [method, url] = call.split(' ') as [InjectOptions['method'] & string, string]
      const { headers, body } = multipartOf(file)
      return {
        ...(await inject({ method, url, body, headers: { ...headers, cookie: who.cookie } })),
        by: who,
      }
    },
    enterCard: async (secret, number) =>
      callProvider(await browserAccess(), 'POST', ...cardForm(secret, number)),
    enterMethod: async (secret, method) =>
      callProvider(await browserAccess(), 'POST', ...methodForm(secret, method)),
    async openPage(address) {
      const page = await fetch(sandboxAddress((await runningServer()).apiUrl, address)).catch(() => null)
      return (await page?.text().catch(() => '')) ?? ''
    },
    async press(address, form = {}) {
      const options = { method: 'POST', redirect: 'manual', body: new URLSearchParams(form) } as const
      const { apiUrl } = await runningServer()
      return fetch(sandboxAddress(apiUrl, address), options).then(readReply, () => NO_REPLY)
    },
    moveClock(byMs) {
      clockOffsetMs += byMs
    },
    async sweep(name) {
      const { crashSwitch, services } = await runningServer()
      return falseIfUnavailable(() =>
        crashSwitch.untilCrash(sweeps[name](services).then(() => true as const)),
      )
    },
    async runJobs({ retries } = { retries: false }) {
      // Jobs are scheduled by the clock of the database, which cannot be moved.
      if (retries)
        await sql.query('update graphile_worker._private_jobs set run_at = now() where run_at > now()')
      const { crashSwitch, services } = await runningServer()
      return falseIfUnavailable(() => crashSwitch.untilCrash(runDueJobs(services).then(() => true as const)))
    },
    async runOnServer(job) {
      const { crashSwitch, services } = await runningServer()
      await crashSwitch.untilCrash(job(services)).catch(() => {})
    },
    tidyUp: async () => tidyUp((await runningServer()).services, clock()),
    async deliver(event) {
      for (;;) {
        const offsetWhenSigned = clockOffsetMs
        const answer = await deliverOnce(JSON.stringify(event))
        // If the clock was moved in the meantime, the signature is too old, so the event is sent again.
        if (answer.status === 200 || offsetWhenSigned === clockOffsetMs) return answer
      }
    },
    askProvider: async (path, form) => callProvider(await serverAccess(), 'POST', path, form),
    setCurrency(currency) {
      config.currency = currency
    },
    setProviderTimeouts(newTimeouts) {
      timeouts = newTimeouts
      for (const server of servers) server.setProviderTimeouts(newTimeouts)
    },
    async flushWebhooks() {
      const { sandbox } = await runningServer()
      await sandbox.releaseHeld()
      const deadline = Date.now() + SETTLED_WITHIN_MS
      while (!(await isSettled(sql, clock()))) {
        if (Date.now() > deadline) throw new Error('webhooks are still pending')
        await wait(10)
      }
    },
    scheduleCrash(index, trigger) {
      servers[index].crashSwitch.arm(trigger)
    },
    async recover() {
      for (const { crashSwitch } of servers) crashSwitch.arm(null)
      await Promise.all(replacing)
      // Unlocks the jobs of a crashed process, as heartbeat.ts does, but without the wait.
      await sql.query(
        `select graphile_worker.force_unlock_workers(array_agg(distinct locked_by))
         from graphile_worker.jobs where locked_by is not null having count(*) > 0`,
      )
    },
    roundMs: () => clockOffsetMs - roundStartMs,
    beginRound() {
      roundStartMs = clockOffsetMs
    },
    async close() {
      await Promise.all(replacing)
      for (const server of servers) await server.close()
      await sql.end()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Rejects if the end of a job cannot be stored. */
async function runDueJobs(services: Services): Promise<void> {
  const events: WorkerEvents = new EventEmitter()
  const lost = once(events, 'pool:fatalError').then(([{ error }]) => {
    throw error
  })
  const done = runOnce({
    pgPool: services.database.pool,
    taskList: buildTasks(services),
    concurrency: 3,
    logger: new Logger(() => () => {}),
    noHandleSignals: true,
    events,
    preset: BATCHED_COMPLETION,
  })
  await Promise.race([done, lost])
}

function bodyOf(reply: LightMyRequestResponse): Answer['body'] {
  try {
    return reply.json()
  } catch {
    return {}
  }
}

function cookieOf(reply: LightMyRequestResponse): string | undefined {
  const set = reply.cookies.find(({ name }) => name === 'sid')
  return set?.value ? `sid=${encodeURIComponent(set.value)}` : undefined
}

/** Multipart form data with one file. */
export function multipartOf({ name, text }: { name: string; text: string }) {
  const { payload: body, headers } = uploadOf('file', Buffer.from(text), { name, type: 'text/plain' })
  return { body, headers }
}

/** Waiting for a connection may time out on a busy machine. Then nothing was done. */
async function falseIfUnavailable(work: () => Promise<true | undefined>): Promise<boolean> {
  try {
    return (await work()) ?? false
  } catch (error) {
    if (isUnavailable(error)) return false
    throw error
  }
}

/** The sandbox's own address of a page that browsers reach through the server. */
const sandboxAddress = (apiUrl: string, address: string) =>
  apiUrl + new URL(address, apiUrl).pathname.replace(/^\/sandbox/, '')

/** No webhook is pending, and no slow payment has yet to settle. */
async function isSettled(sql: pg.Pool, now: Date): Promise<boolean> {
  const { rowCount } = await sql.query(
    `select from sandbox.objects where settle_at <= $1
     union all select from sandbox.deliveries where state = 'held' or state = 'pending' and due_at <= $1
     limit 1`,
    [now],
  )
  return rowCount === 0
}
