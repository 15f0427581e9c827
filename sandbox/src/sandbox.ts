import type { IncomingMessage, ServerResponse } from 'node:http'
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply } from 'fastify'
import type { PayoutInterval } from './accounts/account-settings.ts'
import { type Database, type DatabaseLimits, openDatabase } from './database.ts'
import type { Faults } from './faults.ts'
import { addApi } from './http/api.ts'
import { ApiError, type ErrorBody } from './http/api-error.ts'
import { deleteExpiredKeys } from './http/idempotency.ts'
import { listenOnLoopback } from './listen.ts'
import { addPages } from './pages/pages.ts'
import { prepareConfiguration } from './payment-methods/configurations.ts'
import { preparePlatform } from './platform-account.ts'
import { settleNext } from './settlement.ts'
import { prepareTables } from './tables.ts'
import {
  countWaiting,
  createDeliveryWorker,
  MAX_CONCURRENT_DELIVERIES,
  releaseHeld,
} from './webhooks/deliveries.ts'
import { prepareEndpoints, type Webhook } from './webhooks/webhook-endpoints.ts'
import { startWorker } from './worker.ts'

export interface SandboxOptions {
  /** PostgreSQL 15 or later. All data is in the schema `sandbox`, which is created if missing. */
  databaseUrl: string
  /** How long to wait for the database. */
  databaseLimits?: DatabaseLimits
  /** The URL for browsers. */
  publicUrl: string
  secretKey: string
  publishableKey: string
  /** Further accepted keys: those of processes with other secrets, which share the database. */
  morePublishableKeys?: string[]
  /**
   * This URL gets all events: the sandbox creates a platform endpoint and a Connect endpoint with this URL and
   * secret. With null, this process sends events only to endpoints that were created over the API.
   */
  webhook: Webhook | null
  /** Whether to serve the dashboard for developers. */
  dashboard: boolean
  /** The number of days until a charge becomes available. 2 if omitted. */
  pendingDays?: number
  /** The country of the platform; `US` if omitted. */
  platformCountry?: string
  /** The initial payout schedule of the platform's balance. `manual` if omitted (ADR 38). */
  payoutSchedule?: PayoutInterval
  clock?: () => Date
  faults?: Faults
  log?: { warn(object: object, message: string): void }
}

export interface Sandbox {
  /** For a server that mounts the sandbox under a path and has removed that path from the URL. */
  handle(request: IncomingMessage, response: ServerResponse): void
  /** Sends held deliveries and returns their number. */
  releaseHeld(): Promise<number>
  /** The number of undelivered deliveries. */
  waiting(): Promise<{ pending: number; held: number }>
  /** Pending deliveries are sent after the next start. */
  stop(): Promise<void>
}

/** A sandbox with its own address. */
export interface ListeningSandbox extends Sandbox {
  /** The URL of its API. */
  url: string
}

type Log = NonNullable<SandboxOptions['log']>

const POLL_MS = 500
/** Stripe's standard in the United States. */
const DEFAULT_PENDING_DAYS = 2
const BODY_LIMIT_BYTES = 1024 * 1024
/** Larger than any file that is accepted, so that a larger one gets Stripe's error. */
const UPLOAD_LIMIT_BYTES = 8 * 1024 * 1024

/** Starts a sandbox that listens on the loopback interface. Port 0 picks a free one. */
export async function startSandbox(options: SandboxOptions & { port: number }): Promise<ListeningSandbox> {
  const sandbox = await openSandbox(options)
  try {
    const { url, close } = await listenOnLoopback(sandbox.handle, options.port)
    return { ...sandbox, url, stop: () => close().then(sandbox.stop) }
  } catch (error) {
    await sandbox.stop()
    throw error
  }
}

/** Starts a replacement for Stripe that needs no account (ADR 33). The caller passes requests to `handle`. */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { faults = {}, clock = () => new Date(), log = { warn() {} } } = options
  const onLost = (err: Error) => log.warn({ err }, 'The sandbox lost a database connection')
  const database = openDatabase(options.databaseUrl, clock, onLost, options.databaseLimits)
  /** Functions that stop the started parts, in order. */
  const started: (() => Promise<unknown>)[] = [database.close]
  const stop = async () => {
    for (const end of started.toReversed()) await end()
  }
  try {
    await database.transact(async (tx) => {
      await prepareTables(tx)
      await preparePlatform(tx, {
        country: options.platformCountry ?? 'US',
        pendingDays: options.pendingDays ?? DEFAULT_PENDING_DAYS,
        payoutSchedule: options.payoutSchedule ?? 'manual',
      })
      await prepareConfiguration(tx)
      if (options.webhook) await prepareEndpoints(tx, options.webhook)
    })
    await deleteExpiredKeys(database.read())
    const loops = startWorkers(database, { ...options, faults, clock, log })
    started.push(loops.stop)
    const app = await createApp(options, database, { faults, log, onCommit: loops.wake })
    started.push(() => app.close())
    return {
      handle: (request, response) => app.routing(request, response),
      async releaseHeld() {
        const released = await releaseHeld(database.read())
        loops.wake()
        return released
      },
      waiting: () => countWaiting(database.read()),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

type Settled = SandboxOptions & Required<Pick<SandboxOptions, 'faults' | 'clock' | 'log'>>

/** One worker sends webhooks, the other settles pending objects. */
function startWorkers(database: Database, { webhook, clock, faults, log }: Settled) {
  const sending = startWorker({
    runNext: createDeliveryWorker(database, clock, webhook).sendNext,
    concurrency: MAX_CONCURRENT_DELIVERIES,
    pollMs: POLL_MS,
    onError: (err) => log.warn({ err }, 'The sandbox could not send a webhook'),
  })
  const settling = startWorker({
    runNext: async () => {
      const settled = await settleNext(database, faults)
      if (settled) sending.wake()
      return settled
    },
    concurrency: 1,
    pollMs: POLL_MS,
    onError: (err) => log.warn({ err }, 'The sandbox could not settle a payment'),
  })
  return {
    wake: sending.wake,
    stop: () => Promise.all([sending.stop(), settling.stop()]),
  }
}

interface AppParts {
  faults: Faults
  log: Log
  onCommit(): void
}

async function createApp(
  options: SandboxOptions,
  database: Database,
  { faults, log, onCommit }: AppParts,
): Promise<FastifyInstance> {
  const { publicUrl, dashboard } = options
  const app = fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    routerOptions: { maxParamLength: 300 },
    rewriteUrl: ({ url = '/' }) => withoutPrefix(url, new URL(publicUrl).pathname),
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, body),
  )
  app.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer', bodyLimit: UPLOAD_LIMIT_BYTES },
    (_request, body, done) => done(null, body),
  )
  app.setErrorHandler<FastifyError>((error, _request, reply) => sendApiError(error, reply, log))
  app.setNotFoundHandler((request, reply) => {
    const message = `Unrecognized request URL (${request.method}: ${request.url.slice(0, 200)}).`
    return sendError(reply, 404, { type: 'invalid_request_error', message })
  })
  addApi(app, { database, keys: options, publicUrl, faults, onCommit })
  addPages(app, { database, publicUrl, dashboard, faults, onCommit })
  await app.ready()
  return app
}

/** Removes the public path, which links contain even when the sandbox is reached directly. */
function withoutPrefix(url: string, prefix: string): string {
  const rest = prefix !== '/' && url.startsWith(prefix) ? url.slice(prefix.length) : url
  if (rest === '' || rest.startsWith('?')) return `/${rest}`
  return rest.startsWith('/') ? rest : url
}

function sendApiError(error: FastifyError, reply: FastifyReply, log: Log) {
  if (error instanceof ApiError) return sendError(reply, error.status, error.body)
  const status = error.statusCode ?? 500
  if (status < 500) return sendError(reply, status, { type: 'invalid_request_error', message: error.message })
  log.warn({ err: error }, 'The sandbox failed')
  return sendError(reply, 500, { type: 'api_error', message: 'An unknown error occurred.' })
}

function sendError(reply: FastifyReply, status: number, error: ErrorBody) {
  return reply.code(status).type('application/json').send(JSON.stringify({ error }))
}
