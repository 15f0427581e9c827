import { setTimeout as wait } from 'node:timers/promises'
import { buildApp, buildWorkerApp } from './app.ts'
import { systemClock } from './core/clock.ts'
import { BadConfig, type Config, type Role, readConfig, readRole } from './core/config.ts'
import { describeError } from './core/describe-error.ts'
import { createLog } from './core/log.ts'
import { createServices } from './create-services.ts'
import { DatabaseRefused } from './database/apply-migrations.ts'
import { isUnavailable } from './database/database.ts'
import { checkDatabaseUrls } from './database/database-urls.ts'
import { PostgresRefused, startEmbeddedPostgres } from './database/embedded-postgres/embedded-postgres.ts'
import { createKeyUse, type KeyUse } from './database/key-use.ts'
import { findIgnoredCurrency } from './database/market-settings.ts'
import { migrate } from './database/migrate.ts'
import { demoSignIns } from './demo/sign-ins.ts'
import { loadGazetteer } from './features/board/places/gazetteer.ts'
import type { Events } from './http/events.ts'
import { startJobs } from './jobs/worker.ts'
import { StorageRefused, StorageUnavailable } from './providers/files/file-storage.ts'
import type { SandboxHost } from './providers/stripe/sandbox-host.ts'
import { collectGarbage } from './runtime/collect-garbage.ts'
import { stopOnCrash } from './runtime/crashes.ts'
import { drainConnections, trackRequests } from './runtime/drain.ts'
import { exitProcess } from './runtime/exit-process.ts'
import type { Readiness } from './runtime/health.ts'
import { createListeners, type Listeners } from './runtime/listeners.ts'
import { type Part, stopParts } from './runtime/stop-parts.ts'
import type { Services } from './services.ts'

const DATABASE_RETRY_MS = 1_000
/** In addition to DRAIN_SECONDS. */
const STOP_LIMIT_MS = 14_000
const DATABASE_CLOSE_MS = 1_000

const started: Part[] = []
const readiness: Readiness = { ready: false }
/** Aborted by a second signal. */
const skipDraining = new AbortController()
let stopping = false
let drainMs = 0

const say = (line: string) => console.log(line)

async function start(): Promise<void> {
  const role = readRole(process.argv.slice(2))
  const config = readConfig()
  const log = createLog({ level: config.logLevel, pretty: !config.production })
  stopOnCrash(log, () => void stop(1))
  const databaseUrl = config.databaseUrl ?? (await startDatabase(config))
  const services = await createServices(config, databaseUrl, systemClock, log)
  const { database, events, keyWatch, mailer, sandbox, tracing } = services
  started.push({ name: 'traces', stop: async () => tracing?.stop() })
  // Waits only briefly: work that still uses a connection has been given up.
  started.push({
    name: 'database connections',
    stop: () => Promise.race([database.close(), wait(DATABASE_CLOSE_MS)]),
  })
  const keyUse = createKeyUse(database.pool, services.secrets, log)
  started.push({ name: 'use of the keys', stop: keyUse.stop })
  started.push({ name: 'events', stop: events.stop })
  started.push({ name: 'mailer', stop: async () => mailer?.close() })
  started.push({ name: 'card sandbox', stop: async () => sandbox?.close() })
  started.push({ name: 'check of the Stripe keys', stop: async () => keyWatch?.stop() })
  const keysChecked = keyWatch?.start()
  const server = await createServer(role, services)
  await checkStorage(services)
  await retryUntilReachable(() => prepareDatabase(databaseUrl, services, keyUse), server.listen)
  if (sandbox) {
    const address = config.port === 0 ? await server.listen() : server.address
    await retryUntilReachable(() => startSandbox(sandbox, address), server.listen)
  }
  if (stopping) return
  if (role.worker) {
    const jobs = startJobs(services, log)
    started.push({ name: 'jobs', drain: jobs.stop, stop: async () => {} })
    await jobs.up
  }
  await keysChecked
  // Loaded early, so that the first request with a place need not wait.
  await loadGazetteer().catch((error) => log.error({ err: error }, 'the gazetteer could not be read'))
  collectGarbage()
  readiness.ready = true
  const address = await server.listen()
  if (!address) say('The worker is ready.')
  else printReady(config, config.port === 0 ? address : config.publicUrl)
}

interface StartedServer {
  /** The address it will listen on. Null for a process without HTTP requests. */
  address: string | null
  /** Returns the address. */
  listen(): Promise<string | null>
}

/** Serves METRICS_PORT from now on. */
async function createServer(role: Role, services: Services): Promise<StartedServer> {
  const { config, log } = services
  if (!role.web) {
    const app = buildWorkerApp(services, readiness, log)
    started.push({ name: 'server', stop: () => app.close() })
    await app.ready()
    return { address: null, listen: async () => null }
  }
  const app = await buildApp(services, readiness, log)
  const listeners = createListeners(app)
  drainMs = config.drainSeconds * 1000
  started.push({
    name: 'server',
    drain: () => drainServer(listeners, services.events),
    stop: async () => {
      const closed = listeners.close()
      await app.close()
      await closed
    },
    unfinished: trackRequests(app),
  })
  await app.ready()
  const { port, host } = config
  let listening: Promise<string> | undefined
  return {
    address: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    listen: () => (listening ??= listeners.listen({ port, host })),
  }
}

/** Gives load balancers time to notice that this process is stopping, then ends connections and streams. */
async function drainServer(listeners: Listeners, events: Events): Promise<void> {
  await wait(drainMs, null, { signal: skipDraining.signal }).catch(() => {})
  const hurried = drainMs === 0 || skipDraining.signal.aborted
  const drained = hurried ? null : drainConnections(listeners, readiness)
  events.drain()
  await drained
}

/** Wrong settings stop the start. An unreachable storage does not, because most of the site works without it. */
async function checkStorage({ fileStorage, log }: Services): Promise<void> {
  await fileStorage.check().catch((error) => {
    if (!(error instanceof StorageUnavailable)) throw error
    log.warn({ err: error }, 'files cannot be uploaded, and perhaps not be read, until their storage is back')
  })
}

async function startDatabase(config: Config): Promise<string> {
  const starting = startEmbeddedPostgres({ dataDir: config.dataDir, say })
  // Registered before it runs, so that a stop during startup waits for it and stops it.
  started.push({ name: 'PostgreSQL', stop: async () => (await starting).stop() })
  return (await starting).url
}

/** The innermost cause. If no address could be reached, Node's error has only a code. */
function reasonOf(error: unknown): string {
  const { message, code, cause, errors } = describeError(error) ?? {}
  const inner = cause ?? errors?.[0]
  return inner?.message || message || code || 'unreachable'
}

/**
 * Retries until the database is reachable, and logs why it is not. In the meantime, requests are refused with 503.
 * While a reachable database is being prepared, the server does not listen, because a proxy that never reads
 * /readyz would send requests.
 */
async function retryUntilReachable(
  work: () => Promise<void>,
  onUnreachable: () => Promise<unknown>,
): Promise<void> {
  let reason: string | undefined
  while (!stopping) {
    try {
      return await work()
    } catch (error) {
      if (!isUnavailable(error)) throw error
      const current = reasonOf(error)
      if (current !== reason) say(`Waiting for the database: ${current}`)
      reason = current
      await onUnreachable()
      await wait(DATABASE_RETRY_MS)
    }
  }
}

async function prepareDatabase(databaseUrl: string, services: Services, keyUse: KeyUse): Promise<void> {
  const { databaseDirectUrl: directUrl = databaseUrl } = services.config
  const warning = await checkDatabaseUrls(databaseUrl, directUrl)
  if (warning) say(warning)
  await migrate(directUrl, services.config.currency)
  await keyUse.start()
  const ignored = await findIgnoredCurrency(services.database.read, services.config)
  if (ignored) services.log.warn(ignored)
  if (services.config.demo) await fillWithDemo(services)
}

/** The sandbox sends its webhooks to our local address. A process without one leaves them to other processes. */
async function startSandbox(sandbox: SandboxHost, address: string | null): Promise<void> {
  if (!address) return void (await sandbox.start(null))
  const url = new URL(
    '/api/stripe/webhook',
    address.replace('//0.0.0.0', '//127.0.0.1').replace('//[::]', '//[::1]'),
  )
  await sandbox.start(url.href)
}

/** Imported only if needed, so that production never loads the demo. */
async function fillWithDemo(services: Services): Promise<void> {
  const { seedDemo } = await import('./demo/seed.ts')
  if (await seedDemo(services)) say('Filled the empty database with a demo marketplace.')
}

function printReady(config: Config, address: string): void {
  say(`\nSought is ready at ${address}`)
  if (config.production && !config.mail) say('Emails are not sent: SMTP_URL is not set.')
  if (!config.demo) return
  say('\nDemo sign-ins:')
  for (const { role, email, password } of demoSignIns) say(`  ${role.padEnd(9)} ${email}  ${password}`)
  say('')
}

async function stop(exitCode: number, drain = false): Promise<void> {
  if (stopping) return skipDraining.abort()
  stopping = true
  readiness.shutdown = 'draining'
  if (!drain || !readiness.ready) skipDraining.abort()
  const isInTime = await stopParts(started, drainMs + STOP_LIMIT_MS)
  exitProcess(isInTime ? exitCode : exitCode || 1)
}

process.on('SIGTERM', () => void stop(0, true))
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => void stop(0))
// The launcher holds the other end of the channel. If it dies, this process stops too.
process.on('disconnect', () => void stop(0))

try {
  await start()
} catch (error) {
  const refusals = [BadConfig, DatabaseRefused, PostgresRefused, StorageRefused]
  if (error instanceof Error && refusals.some((it) => error instanceof it)) console.error(error.message)
  // If the start was interrupted, its failure is expected.
  else if (!stopping) console.error('Sought could not start:', describeError(error))
  await stop(1)
}
