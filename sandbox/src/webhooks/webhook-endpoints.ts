import type Stripe from 'stripe'
import * as z from 'zod'
import { APPLICATION_ID } from '../application.ts'
import type { Tx } from '../database.ts'
import { notFound } from '../http/api-error.ts'
import { API_VERSION } from '../http/api-version.ts'
import { boolean, list, mergeMetadata, metadata, metadataChange, page, text, url } from '../http/params.ts'
import { type Call, route } from '../http/route.ts'
import { newId, randomAlphanumeric } from '../ids.ts'
import { listObjects } from '../lists.ts'
import { findObject, insertObject, type Stored, saveObject, toUnixSeconds } from '../objects.ts'

/*
 * The addresses that receive events. The platform's own events go to platform endpoints, those of connected
 * accounts to Connect endpoints. Each endpoint has its own secret, which only the reply to its creation contains.
 */

type Endpoint = Stored<'webhook_endpoint'>

export interface Webhook {
  url: string
  secret: string
}

const enabledEvents = list(text.regex(/^(\*|[a-z0-9_]+(\.[a-z0-9_]+)+)$/, 'Invalid event type')).refine(
  (types) => types.length > 0,
  'At least one event type is required',
)

const CreateParams = z.strictObject({
  api_version: text.optional(),
  connect: boolean.optional(),
  description: z.string().optional(),
  enabled_events: enabledEvents,
  metadata: metadata.optional(),
  url,
})

async function createEndpoint({
  tx,
  params,
}: Call<z.output<typeof CreateParams>>): Promise<Stripe.WebhookEndpoint> {
  const secret = `whsec_${randomAlphanumeric(32)}`
  const { connect = false, ...rest } = params
  const { body } = await storeEndpoint(tx, rest, { secret, connect })
  return { ...body, secret }
}

function storeEndpoint(
  tx: Tx,
  params: Omit<z.output<typeof CreateParams>, 'connect'>,
  hidden: Endpoint['hidden'],
): Promise<Endpoint> {
  const body: Stripe.WebhookEndpoint = {
    id: newId('we'),
    object: 'webhook_endpoint',
    api_version: params.api_version ?? null,
    application: hidden.connect ? APPLICATION_ID : null,
    created: toUnixSeconds(tx.now),
    description: params.description || null,
    enabled_events: params.enabled_events,
    livemode: false,
    metadata: mergeMetadata({}, params.metadata),
    status: 'enabled',
    url: params.url,
  }
  return insertObject(tx, 'webhook_endpoint', { body, hidden })
}

/**
 * Makes sure that a platform endpoint and a Connect endpoint exist for the webhook in the options. They keep their
 * ids when the URL changes, so that pending deliveries reach the new one.
 */
export async function prepareEndpoints(tx: Tx, { url, secret }: Webhook): Promise<void> {
  for (const connect of [false, true]) {
    const managed = await findManaged(tx, connect)
    if (managed) {
      const { deleted: _, ...hidden } = managed.hidden
      const body = { ...managed.body, status: 'enabled', url }
      await saveObject(tx, { ...managed, body, hidden: { ...hidden, secret } })
    } else {
      const params = { api_version: API_VERSION, enabled_events: ['*'], url }
      await storeEndpoint(tx, params, { secret, connect, managed: true })
    }
  }
}

async function findManaged(tx: Tx, connect: boolean): Promise<Endpoint | undefined> {
  const [row] = await tx.query<Endpoint>(
    `select id, body, hidden from sandbox.objects
     where kind = 'webhook_endpoint' and (hidden ->> 'managed')::boolean and (hidden ->> 'connect')::boolean = $1
     for update`,
    [connect],
  )
  return row
}

/** Deleted endpoints stay in the database because deliveries refer to them, but the API hides them. */
async function findEndpoint(tx: Tx, id: string, lock: '' | 'for update' = ''): Promise<Endpoint> {
  const endpoint = await findObject(tx, 'webhook_endpoint', id, lock)
  if (!endpoint || endpoint.hidden.deleted) throw notFound('webhook endpoint', id)
  return endpoint
}

async function retrieveEndpoint({ tx, id }: Call): Promise<Stripe.WebhookEndpoint> {
  return (await findEndpoint(tx, id)).body
}

const UpdateParams = z.strictObject({
  description: z.string().optional(),
  disabled: boolean.optional(),
  enabled_events: enabledEvents.optional(),
  metadata: metadataChange.optional(),
  url: url.optional(),
})

async function updateEndpoint({
  tx,
  id,
  params,
}: Call<z.output<typeof UpdateParams>>): Promise<Stripe.WebhookEndpoint> {
  const endpoint = await findEndpoint(tx, id, 'for update')
  const { disabled, metadata, ...changes } = params
  const body: Stripe.WebhookEndpoint = {
    ...endpoint.body,
    ...changes,
    ...(disabled !== undefined && { status: disabled ? 'disabled' : 'enabled' }),
    metadata: mergeMetadata(endpoint.body.metadata, metadata),
  }
  await saveObject(tx, { ...endpoint, body })
  return body
}

async function deleteEndpoint({ tx, id }: Call): Promise<Stripe.DeletedWebhookEndpoint> {
  const endpoint = await findEndpoint(tx, id, 'for update')
  await saveObject(tx, { ...endpoint, hidden: { ...endpoint.hidden, deleted: true } })
  return { id, object: 'webhook_endpoint', deleted: true }
}

const ListParams = z.strictObject(page)

const listEndpoints = ({ tx, params }: Call<z.output<typeof ListParams>>) =>
  listObjects(tx, 'webhook_endpoint', '/v1/webhook_endpoints', params)

export const webhookEndpointRoutes = [
  route('POST', '/v1/webhook_endpoints', CreateParams, createEndpoint),
  route('GET', '/v1/webhook_endpoints', ListParams, listEndpoints),
  route('GET', '/v1/webhook_endpoints/:id', z.strictObject({}), retrieveEndpoint),
  route('POST', '/v1/webhook_endpoints/:id', UpdateParams, updateEndpoint),
  route('DELETE', '/v1/webhook_endpoints/:id', z.strictObject({}), deleteEndpoint),
]
