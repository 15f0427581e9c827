import cookie from '@fastify/cookie'
import multipart from '@fastify/multipart'
import { calls } from '@sought/contract/calls'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { Registry } from 'prom-client'
import { refuse } from './core/errors.ts'
import { newRequestId } from './core/request-id.ts'
import type { PooledDb } from './database/database.ts'
import type { Reader } from './database/replicas.ts'
import { doctorRoutes } from './doctor/routes.ts'
import { placeRoutes } from './features/board/places/routes.ts'
import { personPageHead } from './features/board/profiles/page-head.ts'
import { peopleRoutes } from './features/board/profiles/routes.ts'
import { boardPageHead, itemPageHead } from './features/board/requests/page-head.ts'
import { serveLinkPreviews } from './features/board/requests/pictures/link-preview.ts'
import { requestRoutes } from './features/board/requests/routes.ts'
import { savedSearchRoutes } from './features/board/saved-searches/routes.ts'
import { messageRoutes } from './features/deals/messages/routes.ts'
import { offerRoutes } from './features/deals/offers/routes.ts'
import { photoRoutes } from './features/deals/photos/routes.ts'
import { analyticsRoutes } from './features/desk/analytics/routes.ts'
import { auditRoutes } from './features/desk/audit/routes.ts'
import { lookupRoutes } from './features/desk/lookup/routes.ts'
import { marketRoutes } from './features/desk/market/routes.ts'
import { mayReadHidden } from './features/desk/moderation/hidden-pictures.ts'
import { moderationRoutes } from './features/desk/moderation/routes.ts'
import { overviewRoutes } from './features/desk/overview/routes.ts'
import { supportRoutes } from './features/desk/support/routes.ts'
import { deliveryRoutes, serveTrackingWebhook } from './features/fulfilment/deliveries/routes.ts'
import { reviewRoutes } from './features/fulfilment/reviews/routes.ts'
import { findStaffRole, needsSecondFactor } from './features/identity/accounts/actions.ts'
import { accountRoutes } from './features/identity/accounts/routes.ts'
import { addressRoutes } from './features/identity/addresses/routes.ts'
import { policyRoutes } from './features/identity/policies/routes.ts'
import { secondFactorRoutes } from './features/identity/second-factors/routes.ts'
import { debtRoutes } from './features/money/debts/routes.ts'
import { disputeRoutes } from './features/money/disputes/routes.ts'
import { documentRoutes } from './features/money/documents/routes.ts'
import { exportRoutes } from './features/money/exports/routes.ts'
import { goodwillRoutes } from './features/money/goodwill/routes.ts'
import { paymentRoutes, servePaymentWebhook } from './features/money/payments/routes.ts'
import { payoutRoutes } from './features/money/payouts/routes.ts'
import { addProviderDebtMetric, addReconciliationMetrics } from './features/money/reconciliation/metrics.ts'
import { reconciliationRoutes } from './features/money/reconciliation/routes.ts'
import { sellerRoutes } from './features/money/sellers/routes.ts'
import { serveMailEvents } from './features/notifications/mail-events.ts'
import { notificationRoutes, pushRoutes } from './features/notifications/routes.ts'
import { personalDataRoutes } from './features/privacy/personal-data/routes.ts'
import { addMarketMetrics } from './features/site/market-metrics.ts'
import { createPageData } from './features/site/page-data.ts'
import { textPageHead } from './features/site/page-head.ts'
import { describeDeployment, platformRoutes } from './features/site/routes.ts'
import { serveSitemap } from './features/site/sitemap.ts'
import { blockRoutes } from './features/trust/blocks/routes.ts'
import { reportRoutes } from './features/trust/reports/routes.ts'
import { requireClean } from './features/trust/scans/scan-files.ts'
import { answerUnreadable } from './http/answer-error.ts'
import { serveApiDocs } from './http/api-docs.ts'
import { compressReplies } from './http/compression.ts'
import { createCookieSigner } from './http/cookie-signer.ts'
import { serveCspReports } from './http/csp-reports.ts'
import { countAttempt } from './http/limits.ts'
import { NO_PRESSURE, watchPressure } from './http/pressure.ts'
import { warnWithoutForwardedFor } from './http/proxy-check.ts'
import { createReader } from './http/read-call.ts'
import { refuseCrossSite } from './http/refuse-cross-site.ts'
import { logRequest } from './http/request-log.ts'
import { type Gate, on, type Route, register, requireModeFor } from './http/route.ts'
import { createSecurityHeaders, MINIMAL_HEADERS } from './http/security.ts'
import { servePublicFiles } from './http/serve-files.ts'
import { recordWrite } from './http/session.ts'
import type { PageAddress } from './pages/page-address.ts'
import { siteOf } from './pages/page-head.ts'
import { opensPage, serveWebApp, type WebAppPages } from './pages/web-app.ts'
import { serveSandbox } from './providers/stripe/serve-sandbox.ts'
import { serveStandIn } from './providers/tracking/serve-stand-in.ts'
import { closeIdleConnections } from './runtime/drain.ts'
import { addHealth, type Readiness } from './runtime/health.ts'
import { addProcessMetrics, countRefusals } from './runtime/process-metrics.ts'
import { traceRequests } from './runtime/tracing.ts'
import type { Services } from './services.ts'

const BODY_LIMIT_BYTES = 256 * 1024
/** Long enough for the largest upload over a slow connection. */
const REQUEST_TIMEOUT_MS = 5 * 60_000

/** The routes of all features. */
export function allRoutes(services: Services): Route[] {
  return [
    ...platformRoutes(services),
    ...accountRoutes(services),
    ...addressRoutes(services),
    ...auditRoutes(services),
    ...secondFactorRoutes(services),
    ...peopleRoutes(services),
    ...placeRoutes(),
    ...requestRoutes(services),
    ...savedSearchRoutes(services),
    ...moderationRoutes(services),
    ...messageRoutes(services),
    ...reportRoutes(services),
    ...blockRoutes(services),
    ...notificationRoutes(services),
    ...pushRoutes(services),
    ...offerRoutes(services),
    ...photoRoutes(services),
    ...paymentRoutes(services),
    ...deliveryRoutes(services),
    ...payoutRoutes(services),
    ...debtRoutes(services),
    ...goodwillRoutes(services),
    ...sellerRoutes(services),
    ...reviewRoutes(services),
    ...disputeRoutes(services),
    ...documentRoutes(services),
    ...reconciliationRoutes(services),
    ...analyticsRoutes(services),
    ...overviewRoutes(services),
    ...supportRoutes(services),
    ...marketRoutes(services),
    ...policyRoutes(services),
    ...lookupRoutes(services),
    ...exportRoutes(services),
    ...personalDataRoutes(services),
    ...doctorRoutes(services),
  ]
}

export async function buildApp(
  services: Services,
  readiness: Readiness,
  log: FastifyInstance['log'],
): Promise<FastifyInstance> {
  const { config, database, replicas, events, notifier, sessions, secrets, files } = services
  const securityHeaders = await createSecurityHeaders(config)
  let pages: WebAppPages | null = null
  const metrics = new Registry()
  const answerError = countRefusals(metrics)
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: (_address, hop) => hop < config.proxies,
    routerOptions: { maxParamLength: 200 },
    forceCloseConnections: 'idle',
    // Requests that still arrive during shutdown are answered, since a proxy cannot repeat all of them.
    return503OnClosing: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    genReqId: newRequestId,
    // Fastify runs no hooks for these errors.
    frameworkErrors: (error, request, reply) => {
      logRequest(request, reply)
      if (!pages || !opensPage(request)) return answerError(error, request, reply.headers(MINIMAL_HEADERS))
      pages.sendNotFound(request, reply.headers(securityHeaders(request.url))).catch((failure: unknown) => {
        answerError(failure, request, reply)
      })
    },
    clientErrorHandler: (error, connection) => answerUnreadable(error, connection, log),
  })
  app.setErrorHandler(answerError)
  if (services.tracing) traceRequests(app, services.tracing)
  app.addHook('onClose', () => services.views.write())
  closeIdleConnections(app)
  acceptOnlyJson(app)
  const pressure = config.loadShedding ? watchPressure(app) : NO_PRESSURE
  // One hook with a callback: it runs on every request, and each hook and each promise costs time.
  app.addHook('onRequest', (request, reply, done) => {
    logRequest(request, reply).headers(securityHeaders(request.url))
    if (readiness.shutdown === 'closing') reply.header('connection', 'close')
    pressure.refuseOverload(request.url)
    refuseCrossSite(request)
    if (!readiness.ready && request.url.startsWith('/api/')) {
      throw refuse('unavailable', { retryAfterSeconds: 1 })
    }
    done()
  })
  await app.register(cookie, { secret: createCookieSigner(secrets.sessionKeys) })
  compressReplies(app)
  warnWithoutForwardedFor(app, config.proxies)
  addMonitoring(app, services, readiness, metrics)

  const gate: Gate = {
    market: services.market,
    userOf: sessions.userOf,
    roleOf: (user) => findStaffRole(database.read, user.id),
    now: services.clock,
    requireSecondFactor: async (user) => {
      if (await needsSecondFactor(database.read, config, user.id)) throw refuse('second_factor_required')
    },
    requireConfirmed: sessions.requireConfirmed,
    countUpload: (user, request) => countAttempt(services.limits, 'uploads', user, request),
    requireClean: (file, user) => requireClean(services, file, user),
    recordWrite: async (user) => {
      if (config.databaseReplicaUrls.length === 0) return
      // Then this process waits for the replicas even if the session cannot be updated.
      replicas.awaitChanges([user.id])
      await recordWrite(database.read, user.id).catch((error) =>
        log.warn({ err: error }, 'could not record a write'),
      )
    },
  }
  const routes = [...allRoutes(services), ...notImplemented(services)]
  for (const route of routes.filter(({ call }) => !call.upload && !call.allowCrossSite))
    register(app, gate, route)
  // Only upload calls accept multipart bodies.
  await app.register(async (uploads) => {
    await uploads.register(multipart)
    for (const route of routes.filter(({ call }) => call.upload)) register(uploads, gate, route)
  })
  await app.register(async (scope) => {
    ignoreBody(scope)
    for (const route of routes.filter(({ call }) => call.allowCrossSite)) register(scope, gate, route)
  })

  const requireModeOf = (request: FastifyRequest, reply: FastifyReply) => requireModeFor(gate, request, reply)
  await app.register(async (scope) => {
    scope.addHook('onRequest', requireModeOf)
    await serveOtherRoutes(scope, services, metrics)
  })
  if (services.sandbox) await serveSandbox(app, services.sandbox)
  servePublicFiles(app, database, files, {
    requireMode: requireModeOf,
    mayReadHidden: async (file, request, reply) => {
      const user = await sessions.userOf(request, reply)
      return user !== null && mayReadHidden(services, file, user)
    },
  })
  const readHead = async (db: PooledDb, address: PageAddress) => {
    const site = siteOf(services)
    return (
      textPageHead(address.name, site) ??
      boardPageHead(address, site) ??
      (await itemPageHead(db, address.path, site, services.clock())) ??
      personPageHead(db, address.path, site, services.clock())
    )
  }
  const headOf = (address: PageAddress, reader: Reader | null) =>
    replicas.read(reader, async (db) => {
      const head = await readHead(db, address)
      // A replica may not have the row yet.
      if (head === 'missing' && db !== database.read) throw refuse('not_found')
      return head
    })
  const visitOf = createPageData(services, (market) => describeDeployment(services, market))
  const read = createReader(routes)
  pages = await serveWebApp(app, {
    market: services.market,
    isAdmin: async (user) => (await gate.roleOf(user)) === 'admin',
    requireMode: requireModeOf,
    headOf,
    visitOf,
    read,
    isBusy: pressure.isBusy,
    development: !config.production,
  })
  events.start()
  notifier.start()
  return app
}

/** Routes that are neither calls nor pages. They are refused when the market is closed for maintenance. */
async function serveOtherRoutes(app: FastifyInstance, services: Services, metrics: Registry): Promise<void> {
  serveApiDocs(app, {
    calls,
    publicUrl: services.config.publicUrl,
    readMarketName: async () => (await services.market.read()).name,
  })
  await servePaymentWebhook(app, services)
  await serveTrackingWebhook(app, services)
  await serveMailEvents(app, services)
  if (services.standIn) serveStandIn(app, services.standIn)
  await serveCspReports(app, services, metrics)
  serveSitemap(app, services)
  serveLinkPreviews(app, services)
}

/** For a process without HTTP requests. It listens only on METRICS_PORT, if that is set. */
export function buildWorkerApp(
  services: Services,
  readiness: Readiness,
  log: FastifyInstance['log'],
): FastifyInstance {
  const app = fastify({ loggerInstance: log })
  addMonitoring(app, services, readiness, new Registry())
  services.notifier.start()
  return app
}

function addMonitoring(
  app: FastifyInstance,
  services: Services,
  readiness: Readiness,
  metrics: Registry,
): void {
  addHealth(app, services, readiness, metrics)
  addProcessMetrics(metrics, services, readiness)
  addReconciliationMetrics(metrics, services.database.read)
  addProviderDebtMetric(metrics, services)
  addMarketMetrics(metrics, services)
}

/** Declared calls without a handler reply with `not_built`. */
function notImplemented(services: Services): Route[] {
  const implemented = new Set(allRoutes(services).map(({ call }) => call))
  return Object.values(calls)
    .filter((call) => !implemented.has(call))
    .map(({ method, path, access, summary, reply }) =>
      on({ method, path, access, summary, reply })(() => {
        throw refuse('not_built')
      }),
    )
}

/** Accepts any body and ignores it. */
function ignoreBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null, undefined))
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Null if the bytes are not valid UTF-8. */
function decodeUtf8(bytes: Buffer): string | null {
  try {
    return utf8.decode(bytes)
  } catch {
    return null
  }
}

/** Bodies must be JSON. An empty body counts as no body. */
function acceptOnlyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const text = decodeUtf8(body as Buffer)
    if (text === null) done(refuse('malformed'))
    else if (text === '') done(null, undefined)
    else parse(request, text, done)
  })
}
