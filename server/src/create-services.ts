import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from './core/clock.ts'
import type { Config } from './core/config.ts'
import { readSecrets } from './core/secrets.ts'
import type { Tracing } from './core/tracing.ts'
import { openDatabase, openPool } from './database/database.ts'
import { createInstallationReader } from './database/installation.ts'
import { createMarketReader } from './database/market-settings.ts'
import { createNotifier } from './database/notifier.ts'
import { createReplicas } from './database/replicas.ts'
import { createViewCounter } from './features/board/requests/view-counter.ts'
import { recordSignIn, recordSignOut } from './features/identity/accounts/sign-in.ts'
import { recordPresence } from './features/users/presence.ts'
import { createDownloads } from './files/download.ts'
import { createFileStore } from './files/files.ts'
import { isClear } from './files/stored-files.ts'
import { createBrowserErrors } from './http/browser-errors.ts'
import { createEvents } from './http/events.ts'
import { createLimits } from './http/limits.ts'
import { createSessions, findLiveSessions } from './http/session.ts'
import { openNotifications } from './notification-events.ts'
import { openStorage } from './providers/files/open-storage.ts'
import { createGoogle } from './providers/google/google.ts'
import { createMailer } from './providers/mail/mailer.ts'
import { createSesEvents } from './providers/mail/ses-events.ts'
import { createPhoneStandIn } from './providers/phone/stand-in.ts'
import { createPushKeysReader } from './providers/push/push-keys.ts'
import { createPushService, generatePushKeys } from './providers/push/push-service.ts'
import { createClamd } from './providers/scanner/clamd.ts'
import { watchKeys } from './providers/stripe/key-watch.ts'
import { findKeyProblem } from './providers/stripe/keys.ts'
import { createSandboxHost } from './providers/stripe/sandbox-host.ts'
import { createStripe } from './providers/stripe/stripe.ts'
import { createEasyPost } from './providers/tracking/easypost.ts'
import { createStandIn } from './providers/tracking/stand-in.ts'
import { traceCalls, traceStatements } from './runtime/tracing.ts'
import type { Services } from './services.ts'

/** With LOAD_SHEDDING=off, requests wait for the database instead of being refused. */
const SLOW_MACHINE_LIMITS = { connectTimeoutMs: 60_000, statementTimeoutMs: 120_000 }

/** Creates the services that features use. Does not wait for the database. */
export async function createServices(
  config: Config,
  databaseUrl: string,
  clock: Clock,
  log: FastifyBaseLogger,
): Promise<Services> {
  const directUrl = config.databaseDirectUrl ?? databaseUrl
  const onLost = (error: Error) => log.warn({ err: error }, 'database connection lost')
  const databaseLimits = config.loadShedding ? {} : SLOW_MACHINE_LIMITS
  const database = openDatabase(databaseUrl, clock, onLost, { directUrl, ...databaseLimits })
  const replicaPools = config.databaseReplicaUrls.map((url) => openPool(url, onLost, databaseLimits))
  const replicas = createReplicas(database.read, replicaPools, (place) =>
    log.error(`DATABASE_REPLICA_URLS: server ${place} of the list is no replica of DATABASE_URL`),
  )
  const notifier = createNotifier(database.pool, directUrl, log)
  const tracing = await openTracing(config)
  if (tracing) for (const pool of [database.pool, ...replicaPools]) traceStatements(pool, tracing)
  const traced = <Provider extends object>(name: string, provider: Provider) =>
    tracing ? traceCalls(provider, name, tracing) : provider
  const secure = config.production || config.publicUrl.startsWith('https:')
  const { publicUrl } = config
  const secrets = await readSecrets(config)
  const fileStorage = await openStorage(config)
  const scanner = config.clamd ? createClamd({ ...config.clamd, log }) : null
  const sandbox = config.sandbox
    ? await createSandboxHost(
        { ...config.sandbox, publicUrl, databaseUrl, databaseLimits, clock, log },
        config,
        secrets,
      )
    : null
  const { stripe } = config
  const keys = stripe ?? sandbox?.keys
  const standIn =
    config.easyPost || config.production
      ? null
      : createStandIn(database.read, clock, `tracking ${secrets.sessionKeys.writing()}`)
  const readPushKeys = createPushKeysReader({
    db: database.read,
    dataKeys: secrets.dataKeys,
    generate: generatePushKeys,
  })
  const webhookSecrets = [...config.stripeWebhookSecrets, ...(sandbox ? [sandbox.webhookSecret] : [])]
  return {
    config,
    secrets,
    clock,
    database: {
      ...database,
      async close() {
        await notifier.stop()
        await replicas.close()
        await database.close()
      },
    },
    replicas,
    sessions: createSessions(database.read, clock, {
      keys: secrets.sessionKeys,
      secure,
      production: config.production,
      onSignIn: recordSignIn,
      onSignOut: recordSignOut,
    }),
    market: createMarketReader(database.read, clock, config.currency),
    limits: createLimits(database.pool, config.rateLimit),
    files: createFileStore(fileStorage, { scanner, isClear: (name) => isClear(database.read, name) }, log),
    fileStorage,
    scanner,
    downloads: createDownloads(),
    events: createEvents(
      directUrl,
      {
        findLiveSessions: (sids) => findLiveSessions(database.read, sids, clock()),
        awaitChanges: replicas.awaitChanges,
        recordPresence: (userIds) => recordPresence(database.read, userIds, clock()),
      },
      log,
    ),
    notifier,
    views: createViewCounter(database.read, clock, log),
    browserErrors: createBrowserErrors(clock, log),
    mailer: config.mail ? traced('mail', createMailer({ ...config.mail, publicUrl, log })) : null,
    ses: config.sesTopicArns.length > 0 ? createSesEvents({ topicArns: config.sesTopicArns, clock }) : null,
    notifications: openNotifications(),
    push: createPushService({
      readKeys: async () => config.pushKeys ?? readPushKeys(),
      publicUrl,
      allowLoopback: !config.production,
    }),
    google: config.google ? createGoogle({ ...config.google, publicUrl, secure, log }) : null,
    cards: keys
      ? traced(
          'stripe',
          createStripe({
            ...keys,
            webhookSecrets,
            publicUrl,
            platformCountry: config.platformCountry,
            readInstallation: createInstallationReader(database.read),
            clock,
          }),
        )
      : null,
    keyWatch: stripe ? watchKeys({ ask: () => findKeyProblem(stripe), log }) : null,
    sandbox,
    tracking: config.easyPost ? createEasyPost(config.easyPost) : standIn,
    standIn,
    phone: config.production ? null : createPhoneStandIn(database.read, clock),
    tracing,
    log,
  }
}

/** Imported only if needed, so that a server without traces does not load OpenTelemetry. */
async function openTracing({ tracesUrl }: Config): Promise<Tracing | null> {
  if (!tracesUrl) return null
  const { createTracing } = await import('./providers/traces/open-telemetry.ts')
  return createTracing(tracesUrl)
}
