import * as z from 'zod'
import type { Cause } from './cause.ts'
import type { Tx } from './database.ts'
import type { DeliveryFault } from './faults.ts'
import { notFound } from './http/api-error.ts'
import { API_VERSION } from './http/api-version.ts'
import { list, page, text } from './http/params.ts'
import { type Call, route } from './http/route.ts'
import { newId } from './ids.ts'
import type { EventBody } from './kinds.ts'
import { listObjects } from './lists.ts'
import { findObject, getObject, insertObject, toUnixSeconds } from './objects.ts'

/** With "newest first", the events of this many seconds are delivered together. */
export const NEWEST_FIRST_BATCH_SECONDS = 3

export type EventType =
  | 'account.application.deauthorized'
  | 'account.external_account.created'
  | 'account.external_account.deleted'
  | 'account.external_account.updated'
  | 'account.updated'
  | 'capability.updated'
  | 'charge.dispute.closed'
  | 'charge.dispute.created'
  | 'charge.dispute.funds_reinstated'
  | 'charge.dispute.funds_withdrawn'
  | 'charge.dispute.updated'
  | 'charge.failed'
  | 'cash_balance.funds_available'
  | 'charge.pending'
  | 'charge.refund.updated'
  | 'charge.refunded'
  | 'charge.succeeded'
  | 'charge.updated'
  | 'customer_cash_balance_transaction.created'
  | 'payment_intent.canceled'
  | 'payment_intent.created'
  | 'payment_intent.partially_funded'
  | 'payment_intent.payment_failed'
  | 'payment_intent.processing'
  | 'payment_intent.requires_action'
  | 'payment_intent.succeeded'
  | 'payout.canceled'
  | 'payout.created'
  | 'payout.failed'
  | 'payout.paid'
  | 'radar.early_fraud_warning.created'
  | 'radar.early_fraud_warning.updated'
  | 'refund.created'
  | 'refund.failed'
  | 'refund.updated'
  | 'review.closed'
  | 'review.opened'
  | 'transfer.created'
  | 'transfer.reversed'

/** Stores an event with the current object, and its deliveries, in the caller's transaction. */
export async function emitEvent(
  tx: Tx,
  cause: Cause,
  type: EventType,
  object: { id?: string; customer?: unknown },
  more: { previous?: object; account?: string } = {},
): Promise<void> {
  const event: EventBody = {
    id: newId('evt'),
    object: 'event',
    ...(more.account && { account: more.account }),
    api_version: API_VERSION,
    created: toUnixSeconds(tx.now),
    data: { object, ...(more.previous && { previous_attributes: more.previous }) },
    livemode: false,
    pending_webhooks: 1,
    request: { id: cause.requestId, idempotency_key: cause.idempotencyKey },
    type,
  }
  await insertObject(tx, 'event', { body: event, hidden: {} })
  const fault =
    cause.deliveryFault({ eventId: event.id, type, objectId: object.id ?? String(object.customer) }) ?? {}
  await scheduleDeliveries(tx, event, fault)
}

/** Selects the enabled endpoints that receive an event, given its type as $1 and its account as $2. */
const MATCHING_ENDPOINTS = `
  select id from sandbox.objects
  where kind = 'webhook_endpoint' and hidden ->> 'deleted' is null and body ->> 'status' = 'enabled'
    and (hidden ->> 'connect')::boolean = ($2::text is not null)
    and exists (
      select from json_array_elements_text(body -> 'enabled_events') as wanted where wanted in ('*', $1::text)
    )`

/**
 * A dropped event also gets one delivery for each endpoint, so that the dashboard can show it. With "newest first",
 * deliveries become due in batches. Otherwise an older event would be sent before a newer one exists.
 */
async function scheduleDeliveries(tx: Tx, event: EventBody, fault: DeliveryFault): Promise<void> {
  await tx.query(
    `with endpoints as (${MATCHING_ENDPOINTS}), plan as (
       select
         coalesce($5, mode) as mode,
         case when coalesce($5, mode) = 'drop' then 1 else coalesce($7, copies) end as copies,
         $4::timestamptz + coalesce($6::float8 / 1000, delay_seconds) * interval '1 second' as due_at,
         newest_first
       from sandbox.delivery_settings
     )
     insert into sandbox.deliveries (event_id, endpoint_id, state, due_at)
     select
       $3,
       endpoints.id,
       case mode when 'send' then 'pending' when 'hold' then 'held' else 'dropped' end,
       case when newest_first
         then to_timestamp(ceil(extract(epoch from due_at) / $8::int) * $8::int)
         else due_at
       end
     from endpoints, plan, generate_series(1, plan.copies)`,
    [
      event.type,
      event.account ?? null,
      event.id,
      tx.now,
      fault.mode ?? null,
      fault.delayMs ?? null,
      fault.copies ?? null,
      NEWEST_FIRST_BATCH_SECONDS,
    ],
  )
}

/** Sends an event again to all endpoints that receive it. Returns false if the event does not exist. */
export async function resendEvent(tx: Tx, eventId: string): Promise<boolean> {
  const event = await findObject(tx, 'event', eventId)
  if (!event) return false
  await tx.query(
    `insert into sandbox.deliveries (event_id, endpoint_id, state, due_at)
     select $3, id, 'pending', $4 from (${MATCHING_ENDPOINTS}) as endpoints`,
    [event.body.type, event.body.account ?? null, eventId, tx.now],
  )
  return true
}

const UNDELIVERED_STATES = ['pending', 'held']

/** The number of undelivered deliveries of each event (`pending_webhooks`). */
async function countPending(tx: Tx, ids: string[]): Promise<Map<string, number>> {
  const rows = await tx.query<{ id: string; waiting: number }>(
    `select event_id as id, count(*)::int as waiting from sandbox.deliveries
     where event_id = any ($1) and state = any ($2) group by event_id`,
    [ids, UNDELIVERED_STATES],
  )
  return new Map(rows.map(({ id, waiting }) => [id, waiting]))
}

async function retrieveEvent({ tx, id, account }: Call): Promise<EventBody> {
  const { body } = await getObject(tx, 'event', id)
  if ((body.account ?? null) !== account) throw notFound('event', id)
  const pending = await countPending(tx, [id])
  return { ...body, pending_webhooks: pending.get(id) ?? 0 }
}

const ListParams = z.strictObject({ ...page, type: text.optional(), types: list(text).optional() })

/** Lists the platform's own events or, with `Stripe-Account`, those of a connected account. */
async function listEvents({
  tx,
  account,
  params: { type, types, ...page },
}: Call<z.output<typeof ListParams>>) {
  const events = await listObjects(tx, 'event', '/v1/events', page, {
    type: types ?? type,
    eventsOf: account,
  })
  const pending = await countPending(
    tx,
    events.data.map(({ id }) => id),
  )
  const data = events.data.map((event) => ({ ...event, pending_webhooks: pending.get(event.id) ?? 0 }))
  return { ...events, data }
}

export const eventRoutes = [
  route('GET', '/v1/events', ListParams, listEvents, { forConnectedAccounts: true }),
  route('GET', '/v1/events/:id', z.strictObject({}), retrieveEvent, { forConnectedAccounts: true }),
]
