import { EventEmitter, once } from 'node:events'
import type { FastifyBaseLogger } from 'fastify'
import {
  Logger,
  parseCronItems,
  type Runner,
  type RunnerOptions,
  run,
  type Task,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker'
import { sendEmails } from '../features/notifications/send-email.ts'
import { refundBuyer } from '../features/payments/refunds.ts'
import { paySeller } from '../features/payouts/send-payouts.ts'
import type { JobPayloads } from '../platform/jobs.ts'
import type { Services } from '../platform/services.ts'
import { MAIL_CONNECTIONS } from '../providers/mail/mailer.ts'
import { type Liveness, startHeartbeat } from './heartbeat.ts'
import { type Sweep, sweeps } from './sweeps.ts'
import { tidyUp } from './tidy-up.ts'
import { allowRepeatedRelease } from './worker-pool.ts'

const RESTART_DELAY_MS = 1_000
const CONCURRENT_JOBS = 4
const POLL_MS = 1_000
/** Written down one by one, a job's end is waited for by nobody: losing the database then ends the process. */
export const AWAITED_ENDS = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } }
/** How long a mail that is being sent may hold up the end of the process. */
const MAIL_STOP_MS = 2_000

export interface Jobs {
  /** Resolves once they are run, however long the database takes to come within reach; or when they are stopped. */
  up: Promise<unknown>
  stop(): Promise<void>
}

/** What transactions leave behind for later. */
type Jobbing = { [Name in keyof JobPayloads]: (payload: JobPayloads[Name]) => Promise<void> }

/** Every job by its name. */
export function buildTasks(services: Services): TaskList {
  const sweepingTask =
    (sweep: Sweep): Task =>
    async (_, { abortSignal }) =>
      void (await sweep(services, abortSignal))
  const left: Jobbing = {
    'pay-seller': ({ payoutId }) => paySeller(services, payoutId),
    'refund-buyer': ({ paymentId }) => refundBuyer(services, paymentId),
    'send-mail': ({ mailIds }) => sendEmails(services, mailIds),
  }
  return {
    ...(left as TaskList),
    'tidy-up': () => tidyUp(services, services.clock()),
    ...Object.fromEntries(Object.entries(sweeps).map(([name, sweep]) => [name, sweepingTask(sweep)])),
  }
}

/**
 * Runs the jobs in this process, for as long as it lives. Mails have a worker of their own: a mail server that
 * takes its time holds up other mails, and nothing else.
 */
export function startJobs(services: Services, log: FastifyBaseLogger): Jobs {
  const { database, config } = services
  const onError = (error: unknown) => log.warn({ err: error }, 'jobs could not be looked after')
  const liveness = startHeartbeat(database.pool, onError)
  const { 'send-mail': sendingMails, ...tasks } = buildTasks(services)
  const workers = [
    startWorker(services, log, liveness, {
      taskList: tasks,
      concurrency: CONCURRENT_JOBS,
      parsedCronItems: parseCronItems([{ task: 'tidy-up', match: '17 * * * *' }]),
    }),
    startWorker(services, log, liveness, {
      taskList: { 'send-mail': sendingMails } as TaskList,
      concurrency: MAIL_CONNECTIONS,
      parsedCronItems: [],
    }),
  ]
  const sweep = () => enqueueSweeps(services).catch(onError)
  const sweeping = setInterval(() => void sweep(), config.escrowSweepSeconds * 1000)

  return {
    up: Promise.all([sweep(), ...workers.map((worker) => worker.up)]),
    async stop() {
      clearInterval(sweeping)
      const giveUpMails = setTimeout(() => services.mailer?.close(), MAIL_STOP_MS)
      await Promise.all(workers.map((worker) => worker.stop()))
      clearTimeout(giveUpMails)
      await liveness.stop()
    },
  }
}

/** A worker gives up when the database goes away; it is then started again until the database is back. */
function startWorker(
  { database }: Services,
  log: FastifyBaseLogger,
  liveness: Liveness,
  work: Required<Pick<RunnerOptions, 'taskList' | 'concurrency' | 'parsedCronItems'>>,
): Jobs {
  const start = () =>
    run({
      ...work,
      pgPool: allowRepeatedRelease(database.pool),
      pollInterval: POLL_MS,
      noHandleSignals: true,
      logger: quietLogger(log),
      events: followedBy(liveness),
      preset: AWAITED_ENDS,
    })

  let stopping = false
  let runner: Runner | null = null
  const { promise: up, resolve: isUp } = Promise.withResolvers<void>()

  const supervise = async (): Promise<void> => {
    while (!stopping) {
      try {
        runner = await start()
        isUp()
        if (stopping) await runner.stop()
        await itsEnd(runner)
      } catch (error) {
        log.warn({ err: error }, 'jobs stopped')
      }
      runner = null
      if (!stopping) await new Promise((resolve) => setTimeout(resolve, RESTART_DELAY_MS))
    }
  }
  const supervised = supervise().finally(isUp)

  return {
    up,
    async stop() {
      stopping = true
      await runner?.stop().catch(() => {})
      await supervised
    },
  }
}

/** Cron knows only minutes, so the sweeps are put in the queue by a timer; of all processes' one is done. */
async function enqueueSweeps({ database }: Services): Promise<void> {
  await database.pool.query(
    `select graphile_worker.add_job(name, job_key := name, job_key_mode := 'preserve_run_at', max_attempts := 1)
     from unnest($1::text[]) name`,
    [Object.keys(sweeps)],
  )
}

/** Jobs are locked in the name of the pool, not of the worker that runs them. */
function followedBy(liveness: Liveness): WorkerEvents {
  const events: WorkerEvents = new EventEmitter()
  events.on('pool:create', ({ workerPool }) => liveness.add(workerPool.id))
  events.on('pool:release', ({ workerPool }) => liveness.remove(workerPool.id))
  events.on('pool:fatalError', ({ workerPool }) => liveness.remove(workerPool.id))
  return events
}

/**
 * What a pool does not survive, although it would go on by itself: it could not write down how a job ended, after
 * which it may never end; or it asked for a job and was not answered, and may hold one that it knows nothing of.
 */
const FATAL = ['pool:fatalError', 'worker:getJob:error'] as const

async function itsEnd(runner: Runner): Promise<void> {
  const ended = new AbortController()
  const lost = FATAL.map((name) => once(runner.events, name, { signal: ended.signal }))
  try {
    const [event] = (await Promise.race([runner.promise, ...lost])) ?? []
    if (!event) return
    runner.stop().catch(() => {})
    throw event.error
  } finally {
    ended.abort()
  }
}

/** The worker's own notes are for debugging; what goes wrong is for everyone. */
function quietLogger(log: FastifyBaseLogger): Logger {
  return new Logger(() => (level, message) => {
    if (level === 'error') log.error(message)
    else if (level === 'warning') log.warn(message)
    else log.debug(message)
  })
}
