import { EventEmitter, once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
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
import { fetchPictures } from '../features/board/requests/pictures/fetch-picture.ts'
import { matchSearches } from '../features/board/saved-searches/match-searches.ts'
import { updateResponseTimes } from '../features/deals/messages/response-times.ts'
import { foldFigures } from '../features/desk/analytics/fold-figures.ts'
import { makeExport } from '../features/money/exports/make-export.ts'
import { deleteCustomer } from '../features/money/payments/customers.ts'
import { refundBuyer } from '../features/money/payments/refunds.ts'
import { paySellerIfClear } from '../features/money/payments/sync-payment.ts'
import { continueTakeBack, takeBack } from '../features/money/payouts/take-back.ts'
import { sendEmails } from '../features/notifications/send-email.ts'
import { sendPushes } from '../features/notifications/send-push.ts'
import { MAIL_CONNECTIONS } from '../providers/mail/mailer.ts'
import { pauseInOutage } from '../providers/stripe/pause-in-outage.ts'
import type { JobPayloads } from '../runtime/jobs.ts'
import { traceJobs } from '../runtime/tracing.ts'
import type { Services } from '../services.ts'
import { type Heartbeat, startHeartbeat } from './heartbeat.ts'
import { reencryptLeft } from './reencrypt.ts'
import { removeOrphanedFiles } from './remove-orphaned-files.ts'
import { type Sweep, sweeps } from './sweeps.ts'
import { tidyUp } from './tidy-up.ts'
import { createWorkerPool } from './worker-pool.ts'

const RESTART_DELAY_MS = 1_000
const CONCURRENT_JOBS = 4
const CONCURRENT_DOWNLOADS = 2
const POLL_MS = 1_000
const FOLD_FIGURES_MS = 5_000
/**
 * Makes graphile-worker save the end of jobs in batches, even of one job. It handles errors of batches, but does
 * not await an unbatched write: if the database goes away, the unhandled rejection ends the process.
 */
export const BATCHED_COMPLETION = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } }
/** The end of jobs that end within this time is saved in one transaction. */
const COMPLETION_BATCH_MS = 50
/** How long shutdown waits for an email that is being sent. */
const MAIL_STOP_MS = 2_000
/** How long shutdown waits for jobs. After five seconds graphile-worker asks them to give up. */
const JOBS_STOP_MS = 8_000
/**
 * How long it then waits for a database connection. Without a connection, other processes unlock the jobs a little
 * later.
 */
const HEARTBEAT_STOP_MS = 1_000

export interface Jobs {
  /** Resolves once the workers run or are stopped. Waits for a database that is unreachable at first. */
  up: Promise<unknown>
  stop(): Promise<void>
}

/** Handlers of the jobs that transactions enqueue. */
type JobHandlers = {
  [Name in keyof JobPayloads]: (
    payload: JobPayloads[Name],
    helpers: { abortSignal?: AbortSignal | undefined },
  ) => Promise<void>
}

export function buildTasks({ cards, ...others }: Services): TaskList {
  const services = { ...others, cards: cards && pauseInOutage(cards) }
  const toTask =
    (sweep: Sweep): Task =>
    async (_, { abortSignal }) =>
      void (await sweep(services, abortSignal))
  const handlers: JobHandlers = {
    'pay-seller': ({ payoutId }) => paySellerIfClear(services, payoutId),
    'refund-buyer': ({ paymentId }) => refundBuyer(services, paymentId),
    'take-back': (reversal) => takeBack(services, reversal),
    'take-back-payout': (reversal) => continueTakeBack(services, reversal),
    'send-mail': ({ mailIds }) => sendEmails(services, mailIds),
    'send-push': ({ pushes }) => sendPushes(services, pushes),
    'fetch-picture': ({ itemId }, { abortSignal }) => fetchPictures(services, itemId, abortSignal),
    'make-export': ({ exportId }, { abortSignal }) => makeExport(services, exportId, abortSignal),
    'delete-customer': ({ customerId }) => deleteCustomer(services, customerId),
    'match-searches': ({ at, ...match }) => matchSearches(services, { ...match, at: new Date(at) }),
  }
  const tasks: TaskList = {
    ...(handlers as TaskList),
    'tidy-up': () => tidyUp(services, services.clock()),
    reencrypt: () => reencryptLeft(services),
    'update-response-times': () => updateResponseTimes(services),
    'fold-figures': () => foldFigures(services),
    'remove-orphaned-files': (_, { abortSignal }) => removeOrphanedFiles(services, abortSignal),
    ...Object.fromEntries(Object.entries(sweeps).map(([name, sweep]) => [name, toTask(sweep)])),
  }
  return services.tracing ? traceJobs(tasks, services.tracing) : tasks
}

/**
 * Runs the jobs in this process. Emails, push notifications and pictures from other sites have their own workers,
 * so that a slow external server delays nothing else.
 */
export function startJobs(services: Services, log: FastifyBaseLogger): Jobs {
  const { database, config } = services
  const onError = (error: unknown) =>
    log.warn({ err: error }, 'could not enqueue sweeps or record a heartbeat')
  const heartbeat = startHeartbeat(database.pool, onError)
  const {
    'send-mail': sendEmail,
    'send-push': sendPush,
    'fetch-picture': fetchPicture,
    'fetch-due-pictures': fetchDue,
    ...tasks
  } = buildTasks(services)
  const workers = [
    startWorker(services, log, heartbeat, {
      taskList: tasks,
      concurrency: CONCURRENT_JOBS,
      listens: true,
      parsedCronItems: parseCronItems([
        { task: 'tidy-up', match: '17 * * * *' },
        { task: 'reencrypt', match: '29 * * * *' },
        { task: 'remove-orphaned-files', match: '43 3 * * *' },
        { task: 'update-response-times', match: '13 4 * * *' },
      ]),
    }),
    startWorker(services, log, heartbeat, {
      taskList: { 'send-mail': sendEmail, 'send-push': sendPush } as TaskList,
      concurrency: MAIL_CONNECTIONS,
      listens: true,
      parsedCronItems: [],
    }),
    startWorker(services, log, heartbeat, {
      taskList: { 'fetch-picture': fetchPicture, 'fetch-due-pictures': fetchDue } as TaskList,
      concurrency: CONCURRENT_DOWNLOADS,
      listens: false,
      parsedCronItems: [],
    }),
  ]
  const enqueue = (names: string[]) => enqueueOnce(services, names).catch(onError)
  const sweep = () => enqueue(Object.keys(sweeps))
  const timers = [
    setInterval(() => void sweep(), config.escrowSweepSeconds * 1000),
    setInterval(() => void enqueue(['fold-figures']), FOLD_FIGURES_MS),
  ]

  return {
    up: Promise.all([sweep(), ...workers.map((worker) => worker.up)]),
    async stop() {
      for (const timer of timers) clearInterval(timer)
      const giveUpMails = setTimeout(() => services.mailer?.close(), MAIL_STOP_MS)
      const giveUp = new AbortController()
      await Promise.race([
        Promise.all(workers.map((worker) => worker.stop())),
        wait(JOBS_STOP_MS, null, { signal: giveUp.signal }),
      ])
      giveUp.abort()
      clearTimeout(giveUpMails)
      await Promise.race([heartbeat.stop(), wait(HEARTBEAT_STOP_MS)])
    },
  }
}

interface Work extends Required<Pick<RunnerOptions, 'taskList' | 'concurrency' | 'parsedCronItems'>> {
  /** Whether jobs start as soon as they are added. Otherwise the worker asks for them once a second. */
  listens: boolean
}

/** A worker stops when the database goes away. It is restarted until the database is back. */
function startWorker(
  { database }: Services,
  log: FastifyBaseLogger,
  heartbeat: Heartbeat,
  { listens, ...work }: Work,
): Jobs {
  const start = (onFetchFailed: (error: unknown) => void) =>
    run({
      ...work,
      pgPool: createWorkerPool(database, { listens }),
      pollInterval: POLL_MS,
      noHandleSignals: true,
      logger: quietLogger(log, onFetchFailed),
      events: trackPools(heartbeat),
      preset: {
        worker: {
          ...BATCHED_COMPLETION.worker,
          completeJobBatchDelay: COMPLETION_BATCH_MS,
          // Takes jobs for all idle workers of the pool at once, and asks once for all while there are none.
          localQueue: { size: work.concurrency },
        },
      },
    })

  let stopping = false
  let runner: Runner | null = null
  const { promise: up, resolve: isUp } = Promise.withResolvers<void>()

  const supervise = async (): Promise<void> => {
    while (!stopping) {
      try {
        const { promise: fetchFailed, reject: onFetchFailed } = Promise.withResolvers<never>()
        fetchFailed.catch(() => {})
        runner = await start(onFetchFailed)
        isUp()
        if (stopping) await runner.stop()
        await waitForEnd(runner, fetchFailed)
      } catch (error) {
        log.warn({ err: error }, 'worker stopped, restarting')
      }
      runner = null
      if (!stopping) await wait(RESTART_DELAY_MS)
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

/**
 * A timer enqueues the sweeps, because cron has no seconds. The job key allows only one of each across all
 * processes.
 */
async function enqueueOnce({ database }: Services, names: string[]): Promise<void> {
  await database.pool.query(
    `select graphile_worker.add_job(name, job_key := name, job_key_mode := 'preserve_run_at', max_attempts := 1)
     from unnest($1::text[]) name`,
    [names],
  )
}

/** graphile-worker locks jobs by pool, not by worker, so the heartbeat tracks pools. */
function trackPools(heartbeat: Heartbeat): WorkerEvents {
  const events: WorkerEvents = new EventEmitter()
  events.on('localQueue:init', ({ localQueue }) => letReturnJobs(localQueue, events))
  events.on('pool:create', ({ workerPool }) => heartbeat.add(workerPool.id))
  events.on('pool:release', ({ workerPool }) => heartbeat.remove(workerPool.id))
  events.on('pool:fatalError', ({ workerPool }) => heartbeat.remove(workerPool.id))
  return events
}

/**
 * A local queue returns the jobs that it has not started when it is released, but fails to do so if nothing else of
 * it is running. So something is, until then.
 */
function letReturnJobs(localQueue: object, events: WorkerEvents): void {
  const { promise, resolve } = Promise.withResolvers<void>()
  events.on('localQueue:setMode', ({ newMode }) => {
    if (newMode === 'RELEASED') setImmediate(resolve)
  })
  ;(localQueue as { background(work: Promise<void>): void }).background(promise)
}

/**
 * After these, a pool keeps running but must be restarted. It failed to save the end of a job and may hang, or its
 * request for jobs failed and may have locked some.
 */
async function waitForEnd(runner: Runner, fetchFailed: Promise<never>): Promise<void> {
  const ended = new AbortController()
  const lost = once(runner.events, 'pool:fatalError', { signal: ended.signal })
  try {
    const [event] = (await Promise.race([runner.promise, lost, fetchFailed])) ?? []
    if (event) throw event.error
  } catch (error) {
    runner.stop().catch(() => {})
    throw error
  } finally {
    ended.abort()
  }
}

/** graphile-worker only logs that it could not fetch jobs. */
const FETCH_FAILED = 'Error occurred fetching jobs'

/** graphile-worker's info messages are too many for our log, so they are logged at debug level. */
function quietLogger(log: FastifyBaseLogger, onFetchFailed: (error: unknown) => void): Logger {
  return new Logger(() => (level, message, meta) => {
    // Messages quote errors, and errors quote query parameters. The log describes the error itself.
    const [title = ''] = message.split(/ with error |: |\n/, 1)
    const error = meta?.error ?? meta?.fatalError
    const details = error ? { err: error } : {}
    if (title.startsWith(FETCH_FAILED)) onFetchFailed(error)
    if (level === 'error') log.error(details, title)
    else if (level === 'warning') log.warn(details, title)
    else log.debug(details, title)
  })
}
