import { createHash } from 'node:crypto'
import Stripe from 'stripe'
import type { StripeKeys } from '../../core/config.ts'
import type { Finding } from './doctor-finding.ts'
import { API_TIMEOUT_MS } from './keys.ts'
import { CONNECT_EVENTS, PLATFORM_EVENTS } from './webhook-events.ts'

/*
 * The doctor's checks of webhook endpoints. Stripe shows the secret of an endpoint only once. An endpoint that the
 * doctor created has a hash of its secret in its metadata, so that the secret can be recognised later.
 */

const KINDS = {
  platform: { events: PLATFORM_EVENTS as readonly string[], about: 'events of your account' },
  connect: { events: CONNECT_EVENTS as readonly string[], about: 'events of connected accounts' },
}
type Kind = keyof typeof KINDS

export async function listEndpoints(stripe: Stripe, url: string): Promise<Stripe.WebhookEndpoint[]> {
  const found: Stripe.WebhookEndpoint[] = []
  for await (const endpoint of stripe.webhookEndpoints.list({ limit: 100 })) {
    if (endpoint.url === url) found.push(endpoint)
  }
  return found
}

const kindOf = ({ application, metadata }: Stripe.WebhookEndpoint): Kind =>
  application !== null || metadata.sought_kind === 'connect' ? 'connect' : 'platform'

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex').slice(0, 32)

function missingEvents({ enabled_events }: Stripe.WebhookEndpoint, kind: Kind): string[] {
  if (enabled_events.includes('*')) return []
  return KINDS[kind].events.filter((type) => !enabled_events.includes(type))
}

/** One endpoint in order is enough. */
export function checkEndpoints(endpoints: Stripe.WebhookEndpoint[], url: string): Finding[] {
  return (Object.keys(KINDS) as Kind[]).map((kind) => {
    const what = `Webhook endpoint for ${KINDS[kind].about}`
    const ours = endpoints.filter((endpoint) => kindOf(endpoint) === kind)
    const faults = ours.map((endpoint) => findFault(endpoint, kind))
    const working = ours[faults.indexOf(null)]
    if (working) return { what, fine: `${working.id} sends all events to ${url}` }
    const none = { problem: `there is none at ${url}`, remedy: 'Run with --fix to create it.' }
    return { what, ...(faults[0] ?? none) }
  })
}

function findFault(endpoint: Stripe.WebhookEndpoint, kind: Kind) {
  const missing = missingEvents(endpoint, kind)
  if (missing.length > 0)
    return { problem: `it does not send ${missing.join(', ')}`, remedy: 'Run with --fix to add them.' }
  if (endpoint.status !== 'enabled')
    return { problem: 'it is disabled', remedy: 'Run with --fix to enable it.' }
  return null
}

/**
 * Calls name the version that they expect, but events have the version of their endpoint, or else of the account. All
 * versions of one release are compatible.
 */
export async function checkVersions(
  endpoints: Stripe.WebhookEndpoint[],
  keys: StripeKeys,
): Promise<Finding[]> {
  const enabled = endpoints.filter(({ status }) => status === 'enabled')
  if (enabled.length === 0) return []
  const what = 'API version'
  const usesDefault = enabled.some(({ api_version }) => api_version === null)
  const byDefault = usesDefault ? await readDefaultVersion(keys) : null
  const versions = enabled.map(({ id, api_version }) => ({ id, version: api_version ?? byDefault }))
  const wrong = versions.filter(({ version }) => releaseOf(version) !== releaseOf(Stripe.API_VERSION))
  if (wrong.length === 0) return [{ what, fine: `events have version ${Stripe.API_VERSION}` }]
  const list = wrong.map(({ id, version }) => `${id} sends events of version ${version ?? 'unknown'}`)
  const problem = `${list.join(' and ')}, we expect ${Stripe.API_VERSION}`
  const remedy = 'Delete it in Stripe’s dashboard, and run with --fix to create it with our version.'
  return [{ what, problem, remedy }]
}

/** The name in `2026-10-28.endive`. */
const releaseOf = (version: string | null) => version?.split('.')[1] ?? version

/** The SDK always asks for its own version. */
async function readDefaultVersion({ secretKey, apiUrl }: StripeKeys): Promise<string | null> {
  const { headers } = await fetch(new URL('/v1/account', apiUrl ?? 'https://api.stripe.com'), {
    headers: { authorization: `Bearer ${secretKey}` },
    signal: AbortSignal.timeout(API_TIMEOUT_MS),
  })
  return headers.get('stripe-version')
}

/** Detects a wrong secret only if its endpoint has a hash, or if there are too few secrets. */
export function checkSecrets(endpoints: Stripe.WebhookEndpoint[], secrets: string[]): Finding {
  const what = 'Webhook secrets'
  if (endpoints.length === 0) {
    const remedy = 'Run with --fix, and set STRIPE_WEBHOOK_SECRET to what it prints.'
    return { what, problem: 'there are no endpoints yet', remedy }
  }
  const isHashed = ({ metadata }: Stripe.WebhookEndpoint) => metadata.sought_secret !== undefined
  const hashes = new Set(secrets.map(hashOf))
  const unknown = endpoints.filter(
    (endpoint) => isHashed(endpoint) && !hashes.has(endpoint.metadata.sought_secret ?? ''),
  )
  if (unknown.length > 0) {
    return {
      what,
      problem: `STRIPE_WEBHOOK_SECRET lacks the secret of ${unknown.map(({ id }) => id).join(' and ')}`,
      remedy: 'Add it. If it is lost, delete the endpoint in Stripe’s dashboard and run with --fix.',
    }
  }
  const unhashed = endpoints.filter((endpoint) => !isHashed(endpoint))
  const hashed = new Set(endpoints.map(({ metadata }) => metadata.sought_secret))
  const spare = secrets.filter((secret) => !hashed.has(hashOf(secret)))
  if (spare.length < unhashed.length) {
    return {
      what,
      problem: `STRIPE_WEBHOOK_SECRET has ${count(secrets.length, 'secret')} for ${count(endpoints.length, 'endpoint')}`,
      remedy: 'Add the signing secret of each endpoint from Stripe’s dashboard, separated by commas.',
    }
  }
  const proof =
    unhashed.length === 0
      ? 'they match'
      : 'Stripe does not show whether they match; the first event of each endpoint will'
  return {
    what,
    fine: `${count(secrets.length, 'secret')} for ${count(endpoints.length, 'endpoint')}, ${proof}`,
  }
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`

/** Creates missing endpoints and repairs the others. Returns the steps taken and the new secrets. */
export async function fixEndpoints(
  stripe: Stripe,
  url: string,
): Promise<{ done: string[]; secrets: string[] }> {
  const endpoints = await listEndpoints(stripe, url)
  const done: string[] = []
  const secrets: string[] = []
  for (const kind of Object.keys(KINDS) as Kind[]) {
    const ours = endpoints.filter((endpoint) => kindOf(endpoint) === kind)
    if (ours.length === 0) {
      const { id, secret } = await createEndpoint(stripe, url, kind)
      done.push(`Created ${id} for ${KINDS[kind].about}.`)
      secrets.push(secret)
    }
    for (const endpoint of ours) {
      if (await repairEndpoint(stripe, endpoint, kind)) done.push(`Updated ${endpoint.id}.`)
    }
  }
  return { done, secrets }
}

async function createEndpoint(stripe: Stripe, url: string, kind: Kind) {
  const { id, secret = '' } = await stripe.webhookEndpoints.create({
    url,
    connect: kind === 'connect',
    enabled_events: asEvents(KINDS[kind].events),
    api_version: Stripe.API_VERSION as Stripe.WebhookEndpointCreateParams.ApiVersion,
    metadata: { sought_kind: kind },
  })
  await stripe.webhookEndpoints.update(id, { metadata: { sought_secret: hashOf(secret) } })
  return { id, secret }
}

async function repairEndpoint(stripe: Stripe, endpoint: Stripe.WebhookEndpoint, kind: Kind) {
  const missing = missingEvents(endpoint, kind)
  if (missing.length === 0 && endpoint.status === 'enabled') return false
  await stripe.webhookEndpoints.update(endpoint.id, {
    disabled: false,
    enabled_events: asEvents([...endpoint.enabled_events, ...missing]),
  })
  return true
}

const asEvents = (types: readonly string[]) => types as Stripe.WebhookEndpointCreateParams.EnabledEvent[]
