import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { getAccount } from '../accounts/account-access.ts'
import { accountLinkRoutes } from '../accounts/account-links.ts'
import { accountRoutes } from '../accounts/accounts.ts'
import { externalAccountRoutes } from '../accounts/external-accounts.ts'
import { balanceRoutes } from '../balance.ts'
import type { Cause } from '../cause.ts'
import { chargeRoutes } from '../charges.ts'
import { countrySpecRoutes } from '../country-specs.ts'
import { customerRoutes } from '../customers.ts'
import type { Database, Tx } from '../database.ts'
import { disputeRoutes } from '../disputes/dispute-responses.ts'
import { radarRoutes } from '../disputes/radar.ts'
import { eventRoutes } from '../events.ts'
import { exchangeRateRoutes } from '../exchange-rates.ts'
import type { CallFault, Faults } from '../faults.ts'
import { fileRoutes, readContents } from '../files.ts'
import { newId } from '../ids.ts'
import { cashBalanceRoutes } from '../payment-methods/cash-balance.ts'
import { configurationRoutes } from '../payment-methods/configurations.ts'
import { paymentMethodRoutes } from '../payment-methods/payment-methods.ts'
import { paymentIntentRoutes } from '../payments/payment-intents.ts'
import { balanceSettingsRoutes } from '../payouts/balance-settings.ts'
import { payoutRoutes } from '../payouts/payouts.ts'
import { refundRoutes } from '../refunds.ts'
import { transferReversalRoutes } from '../transfers/transfer-reversals.ts'
import { transferRoutes } from '../transfers/transfers.ts'
import { webhookEndpointRoutes } from '../webhooks/webhook-endpoints.ts'
import { ApiError, invalidRequest, unauthorized } from './api-error.ts'
import { API_VERSION } from './api-version.ts'
import { expand } from './expand.ts'
import { type Form, parseForm } from './form-body.ts'
import { fingerprintOf, runOnce, type StoredReply } from './idempotency.ts'
import { authenticate, type Keys } from './keys.ts'
import { parseMultipart, type Upload } from './multipart.ts'
import { list, parseParams, text } from './params.ts'
import { type CallContext, Reply, type Route } from './route.ts'

const routes: Route[] = [
  ...accountLinkRoutes,
  ...accountRoutes,
  ...balanceRoutes,
  ...balanceSettingsRoutes,
  ...cashBalanceRoutes,
  ...chargeRoutes,
  ...configurationRoutes,
  ...customerRoutes,
  ...disputeRoutes,
  ...eventRoutes,
  ...countrySpecRoutes,
  ...exchangeRateRoutes,
  ...externalAccountRoutes,
  ...fileRoutes,
  ...paymentIntentRoutes,
  ...paymentMethodRoutes,
  ...payoutRoutes,
  ...radarRoutes,
  ...refundRoutes,
  ...transferReversalRoutes,
  ...transferRoutes,
  ...webhookEndpointRoutes,
]

export interface ApiServices {
  database: Database
  keys: Keys
  publicUrl: string
  faults: Faults
  /** Called after a commit, since there may be new deliveries. */
  onCommit(): void
}

/** Stripe's API: form-encoded requests, JSON responses. */
export function addApi(app: FastifyInstance, services: ApiServices): void {
  for (const route of routes) {
    app.route({
      method: route.method,
      url: route.path,
      onRequest: route.publishable ? allowBrowsers : [],
      handler: (request, reply) => handleCall(services, route, request, reply),
    })
  }
  app.get<{ Params: { id: string } }>('/v1/files/:id/contents', async ({ params, headers }, reply) => {
    if (authenticate(headers, {}, services.keys) === 'publishable') throw needsSecretKey()
    const { type, content } = await readContents(services.database.read(), params.id)
    return reply.type(type).headers({ 'x-content-type-options': 'nosniff' }).send(content)
  })
  const browserPaths = new Set(routes.filter(({ publishable }) => publishable).map(({ path }) => path))
  for (const path of browserPaths) {
    app.options(path, { onRequest: allowBrowsers }, (_, reply) => reply.code(200).send())
  }
}

/** CORS: pages of any site may call routes that accept a publishable key. */
async function allowBrowsers(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.headers({
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'Request-Id, Idempotent-Replayed, Stripe-Should-Retry',
  })
  if (request.method !== 'OPTIONS') return
  reply.headers({
    'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
    'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key, Stripe-Version',
    'access-control-max-age': '300',
  })
}

async function handleCall(
  services: ApiServices,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const path = request.url.split('?', 1)[0] ?? ''
  const idempotencyKey = route.method === 'POST' ? header(request, 'idempotency-key') : null
  const fault = services.faults.call?.({ method: route.method, path, idempotencyKey })
  reply.headers({
    'request-id': newId('req'),
    'stripe-version': header(request, 'stripe-version') ?? API_VERSION,
  })
  if (fault?.when === 'before') return failBefore(reply, fault.answer)

  const sent = await runCall(services, route, request, reply, { path, idempotencyKey, fault })
  if (sent.replayed) reply.header('idempotent-replayed', 'true')
  if (idempotencyKey !== null) reply.header('idempotency-key', idempotencyKey)
  if (fault && !(await applyFaultAfter(reply, fault))) return
  reply.code(sent.status).type('application/json').send(sent.body)
}

const needsSecretKey = () =>
  unauthorized(
    'This API call cannot be made with a publishable API key. Please use a secret API key.',
    'secret_key_required',
  )

interface Attempt {
  path: string
  idempotencyKey: string | null
  fault: CallFault | undefined
}

async function runCall(
  services: ApiServices,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  { path, idempotencyKey, fault }: Attempt,
): Promise<StoredReply> {
  const { form, upload } = await readBody(request, route)
  const key = authenticate(request.headers, form, services.keys)
  if (key === 'publishable' && !route.publishable) throw needsSecretKey()
  const account = readAccount(request, route)
  const { expand: expansions, ...own } = form
  const paths = expansions === undefined ? [] : parseParams(list(text), expansions as Form)
  const run = route.prepare(own)
  const { id = '', inner = '' } = request.params as { id?: string; inner?: string }
  if (!/^\w*$/.test(id + inner))
    throw invalidRequest('Invalid id in the address.', { code: 'resource_missing' })
  const cause: Cause = {
    requestId: String(reply.getHeader('request-id')),
    idempotencyKey,
    deliveryFault: (delivery) => services.faults.delivery?.(delivery),
  }
  const work = async (tx: Tx): Promise<StoredReply> => {
    const call: CallContext = { tx, cause, id, inner, key, account, upload, publicUrl: services.publicUrl }
    if (account !== null) await getAccount(tx, account)
    const done = await run(call)
    if (fault?.when === 'after' && fault.answer === 'server_error') return SERVER_ERROR
    if (done instanceof Reply) return { status: done.status, body: JSON.stringify(done.body) }
    return { status: 200, body: JSON.stringify(await expand(tx, done, paths)) }
  }
  if (route.method === 'GET') return work(services.database.read())
  const fingerprint = fingerprintOf(
    route.method,
    path,
    upload ? { ...form, ...describeUpload(upload) } : form,
  )
  const sent = await runOnce(services.database, { key: idempotencyKey, fingerprint }, work)
  if (!sent.replayed) services.onCommit()
  return sent
}

async function readBody(
  request: FastifyRequest,
  route: Route,
): Promise<{ form: Form; upload: Upload | null }> {
  const query = request.url.split('?').slice(1).join('?')
  const { body } = request
  if (!Buffer.isBuffer(body)) {
    return { form: parseForm(typeof body === 'string' ? `${body}&${query}` : query), upload: null }
  }
  if (!route.upload) throw invalidRequest('This call takes no files.')
  const { fields, upload } = await parseMultipart(body, request.headers['content-type'] ?? '')
  return { form: parseForm(`${fields}&${query}`), upload }
}

const describeUpload = ({ filename, content }: Upload) => ({
  filename,
  content: createHash('sha256').update(content).digest('hex'),
})

function readAccount(request: FastifyRequest, route: Route): string | null {
  const account = header(request, 'stripe-account') ?? header(request, 'stripe-context')
  if (account === null || route.forConnectedAccounts) return account
  throw invalidRequest(
    'The sandbox makes this call for the platform only, not in the name of a connected account.',
  )
}

function header(request: FastifyRequest, name: string): string | null {
  const value = request.headers[name]
  return typeof value === 'string' && value !== '' ? value : null
}

const SERVER_ERROR: StoredReply = {
  status: 500,
  body: JSON.stringify({
    error: { type: 'api_error', message: 'An unknown error occurred. (The sandbox was told to fail.)' },
  }),
}

/** Answers with a fault before the call has any effect. */
function failBefore(reply: FastifyReply, how: (CallFault & { when: 'before' })['answer']): void {
  switch (how) {
    case 'cut':
      closeConnection(reply)
      return
    case 'server_error':
      reply.code(500).type('application/json').send(SERVER_ERROR.body)
      return
    case 'rate_limit':
      throw new ApiError(429, {
        type: 'invalid_request_error',
        code: 'rate_limit',
        message: 'Request rate limit exceeded. (The sandbox was told to fail.)',
      })
    case 'lock_timeout':
      throw new ApiError(429, {
        type: 'invalid_request_error',
        code: 'lock_timeout',
        message:
          'This object cannot be accessed right now because another API request or Stripe process is currently accessing it. (The sandbox was told to fail.)',
      })
  }
}

/** Applies a fault after the call took effect. Returns whether the real response should still be sent. */
async function applyFaultAfter(reply: FastifyReply, fault: CallFault): Promise<boolean> {
  if (fault.answer === 'cut') {
    closeConnection(reply)
    return false
  }
  if (fault.answer === 'bad_gateway') {
    reply.code(502).type('text/html').send('<h1>502 Bad Gateway</h1>')
    return false
  }
  if (typeof fault.answer === 'object') {
    await ('until' in fault.answer
      ? fault.answer.until
      : wait(fault.answer.delayMs, undefined, { ref: false }))
  }
  return true
}

function closeConnection(reply: FastifyReply): void {
  reply.hijack()
  reply.raw.destroy()
}
