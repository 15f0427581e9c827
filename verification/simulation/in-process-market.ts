import { createHmac } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sweeps } from '@sought/server/jobs/sweeps'
import { tidyUp } from '@sought/server/jobs/tidy-up'
import { buildTasks, UNBATCHED_COMPLETION } from '@sought/server/jobs/worker'
import { readConfig } from '@sought/server/platform/config'
import { isUnavailable } from '@sought/server/platform/database'
import type { Services } from '@sought/server/platform/services'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { Logger, runOnce, type WorkerEvents } from 'graphile-worker'
import pg from 'pg'
import type { Tally } from '../support/counters.ts'
import { askProvider, cardForm, readAnswer } from '../support/provider-client.ts'
import { createTrouble, type Trouble } from './fault-injection.ts'
import { openServer, type Patience, type Server } from './in-process-server.ts'
import { type Answer, type Market, NO_ANSWER } from './market.ts'
import type { Aim } from './simulated-crash.ts'
import { keepStatusLog } from './status-log.ts'

export type SweepName = keyof typeof sweeps

/** A market of two servers inside this process: their clock can be turned, their provider made to fail, their jobs run at will. */
export interface InProcessMarket extends Market {
  trouble: Trouble
  sessionSecret: string
  /** Of one that lives. */
  services(): Services
  turnClock(byMs: number): void
  /** How far the clock was turned in this round. */
  roundMs(): number
  /** False where the database had no room for it just then, or the server died of it. */
  sweep(name: SweepName): Promise<boolean>
  /** Those that wait for another try too, once they are overdue. */
  runJobs(which?: { overdue: boolean }): Promise<boolean>
  /** Has one of the servers do something by itself. What goes wrong would be its worker's to log. */
  work(job: (services: Services) => Promise<unknown>): Promise<void>
  tidyUp(): Promise<void>
  /** Delivers an event to the webhook, signed by the provider, past everything that may happen on the way. */
  deliver(event: object): Promise<Answer>
  cancelIntent(intentId: string): Promise<Answer>
  /** Calls the provider with little patience, and with none of the SDK's repetitions if so wished; or as always. */
  havePatience(patience: Patience): void
  /** Lets everything arrive that is on its way to the webhook. */
  letArrive(): Promise<void>
  /** Has a server die at a moment, and another take its place. */
  aimAt(server: 0 | 1, aim: Aim): void
  /** No server is aimed at any more, both live, and what the dead had locked is free. */
  recover(): Promise<void>
  /** From here the turns of the clock are counted. */
  beginRound(): void
  close(): Promise<void>
}

const QUIET_WITHIN_MS = 60_000
const OPEN_AGAIN_MS = 50

export async function openInProcess(databaseUrl: string, tally: Tally): Promise<InProcessMarket> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sought-model-'))
  const config = readConfig({
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    RATE_LIMIT: 'off',
    LOAD_SHEDDING: 'off',
  })
  let turnedMs = 0
  let roundBeganMs = 0
  let patience: Patience = 'as always'
  const clock = () => new Date(Date.now() + turnedMs)
  const trouble = createTrouble(tally)
  // Whoever watches must not take the connections of those who are watched.
  const sql = new pg.Pool({ connectionString: databaseUrl, max: 4 })
  sql.on('error', () => {})
  /** However long the database takes to come within reach. */
  const open = async (): Promise<Server> => {
    try {
      const server = await openServer({ config, databaseUrl, clock, trouble })
      server.havePatience(patience)
      return server
    } catch (error) {
      if (!isUnavailable(error)) throw error
      await wait(OPEN_AGAIN_MS)
      return open()
    }
  }
  const servers: [Server, Server] = [await open(), await open()]
  await keepStatusLog(sql)

  /** Whoever dies is followed by another, after as long as it takes to open one. */
  const replacing = new Set<Promise<void>>()
  const replaceWhenDead = (index: 0 | 1) => {
    const dead = servers[index]
    const replaced = dead.life.end.then(async () => {
      tally.count('servers', 'died')
      await dead.close()
      servers[index] = await open()
      replaceWhenDead(index)
    })
    void dead.life.end.then(() => {
      replacing.add(replaced)
      void replaced.finally(() => replacing.delete(replaced))
    })
  }
  replaceWhenDead(0)
  replaceWhenDead(1)

  /** The two in turn, as a balancer would; one that is dead is passed over, and two are waited for. */
  let turn = 0
  const living = async (): Promise<Server> => {
    for (;;) {
      turn++
      const found = [0, 1]
        .map((step) => servers[((turn + step) % 2) as 0 | 1])
        .find(({ life }) => !life.isOver())
      if (found) return found
      await Promise.race(replacing)
    }
  }

  const inject = async (options: InjectOptions): Promise<Answer> => {
    const { app, life } = await living()
    const reply = await life.during(app.inject(options))
    return reply ? { status: reply.statusCode, body: bodyOf(reply), cookie: cookieOf(reply) } : NO_ANSWER
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
  const asBrowser = async () => ({ url: (await living()).apiUrl, key: keys?.publishableKey ?? '' })
  const asOurselves = async () => ({ url: (await living()).apiUrl, key: keys?.secretKey ?? '' })

  return {
    sql,
    tally,
    trouble,
    sessionSecret: servers[0].services.secrets.sessionSecret,
    services: () => (servers.find(({ life }) => !life.isOver()) ?? servers[0]).services,
    now: clock,
    call,
    async upload(who, call, file) {
      const [method, url] = call.split(' ') as [InjectOptions['method'] & string, string]
      const { headers, body } = formOf(file)
      return {
        ...(await inject({ method, url, body, headers: { ...headers, cookie: who.cookie } })),
        by: who,
      }
    },
    enterCard: async (secret, number) => askProvider(await asBrowser(), 'POST', ...cardForm(secret, number)),
    async openPage(address) {
      const page = await fetch(sandboxAddress((await living()).apiUrl, address)).catch(() => null)
      return (await page?.text().catch(() => '')) ?? ''
    },
    async press(address) {
      const options = { method: 'POST', redirect: 'manual' } as const
      const { apiUrl } = await living()
      return fetch(sandboxAddress(apiUrl, address), options).then(readAnswer, () => NO_ANSWER)
    },
    turnClock(byMs) {
      turnedMs += byMs
    },
    async sweep(name) {
      const { life, services } = await living()
      return ifThereIsRoom(() => life.during(sweeps[name](services).then(() => true as const)))
    },
    async runJobs({ overdue } = { overdue: false }) {
      // The jobs' own clock is the database's, which nobody can turn.
      if (overdue)
        await sql.query('update graphile_worker._private_jobs set run_at = now() where run_at > now()')
      const { life, services } = await living()
      return ifThereIsRoom(() => life.during(runJobsOnce(services).then(() => true as const)))
    },
    async work(job) {
      const { life, services } = await living()
      await life.during(job(services)).catch(() => {})
    },
    tidyUp: async () => tidyUp((await living()).services, clock()),
    async deliver(event) {
      for (;;) {
        const signedAtMs = turnedMs
        const answer = await deliverOnce(JSON.stringify(event))
        // Where the clock was turned on the way, the signature is rightly too old: it is sent again.
        if (answer.status === 200 || signedAtMs === turnedMs) return answer
      }
    },
    cancelIntent: async (intentId) =>
      askProvider(await asOurselves(), 'POST', `/v1/payment_intents/${intentId}/cancel`, {}),
    havePatience(wanted) {
      patience = wanted
      for (const server of servers) server.havePatience(wanted)
    },
    async letArrive() {
      const { sandbox } = await living()
      await sandbox.releaseHeld()
      const deadline = Date.now() + QUIET_WITHIN_MS
      while (!(await isQuiet(sql, clock()))) {
        if (Date.now() > deadline) throw new Error('the provider does not come to rest')
        await wait(10)
      }
    },
    aimAt(index, aim) {
      servers[index].life.aimAt(aim)
    },
    async recover() {
      for (const { life } of servers) life.aimAt(null)
      await Promise.all(replacing)
      // What processes do for each other once one has been silent for a while (liveness.ts), without the while.
      await sql.query(
        `select graphile_worker.force_unlock_workers(array_agg(distinct locked_by))
         from graphile_worker.jobs where locked_by is not null having count(*) > 0`,
      )
    },
    roundMs: () => turnedMs - roundBeganMs,
    beginRound() {
      roundBeganMs = turnedMs
    },
    async close() {
      await Promise.all(replacing)
      for (const server of servers) await server.close()
      await sql.end()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** All that are due; or until the end of one cannot be written down. */
async function runJobsOnce(services: Services): Promise<void> {
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
    preset: UNBATCHED_COMPLETION,
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

/** A form with a file, as a browser writes it. */
export function formOf({ name, text }: { name: string; text: string }) {
  const boundary = 'model-boundary'
  const body = [
    `--${boundary}`,
    `content-disposition: form-data; name="file"; filename="${name}"`,
    'content-type: text/plain',
    '',
    text,
    `--${boundary}--`,
    '',
  ].join('\r\n')
  return { body, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } }
}

/** On a machine that has too much to do the wait for a connection can be too long, and nothing is done then. */
async function ifThereIsRoom(work: () => Promise<true | undefined>): Promise<boolean> {
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

/** No webhook is due, and no bank that took its time has yet to answer. */
async function isQuiet(sql: pg.Pool, now: Date): Promise<boolean> {
  const { rowCount } = await sql.query(
    `select from sandbox.objects where settle_at <= $1
     union all select from sandbox.deliveries where state = 'held' or state = 'pending' and due_at <= $1
     limit 1`,
    [now],
  )
  return rowCount === 0
}
