import type Stripe from 'stripe'
import * as z from 'zod'
import type { Cause } from './cause.ts'
import type { Tx } from './database.ts'
import type { DeliveryFault } from './faults.ts'
import { newId } from './ids.ts'
import type { EventBody } from './kinds.ts'
import { listObjects } from './lists.ts'
import { findObject, getObject, insertObject, toUnixSeconds } from './objects.ts'
import { list, page, text } from './params.ts'
import { type Call, route } from './route.ts'

/** The version of Stripe's API that the sandbox implements: that of the SDK in its tests. */
export const API_VERSION = '2026-10-28.endive' satisfies Stripe.LatestApiVersion

/** With "newest first", the events of this many seconds are delivered together. */
export const NEWEST_FIRST_BATCH_SECONDS = 3

export type EventType =
  | 'account.updated'
  | 'charge.dispute.closed'
  | 'charge.dispute.created'
  | 'charge.dispute.funds_reinstated'
  | 'charge.dispute.funds_withdrawn'
  | 'charge.failed'
  | 'charge.refunded'
  | 'charge.succeeded'
  | 'payment_intent.canceled'
  | 'payment_intent.created'
  | 'payment_intent.payment_failed'
  | 'payment_intent.processing'
  | 'payment_intent.requires_action'
  | 'payment_intent.succeeded'
  | 'refund.created'
  | 'refund.failed'
  | 'refund.updated'
  | 'transfer.created'
  | 'transfer.reversed'

/** Stores an event with the current object, and its deliveries, in the caller's transaction. */
export async function emitEvent(
  tx: Tx,
  cause: Cause,
  type: EventType,
  object: { id: string },
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
  await scheduleDeliveries(
    tx,
    event.id,
    cause.deliveryFault({ eventId: event.id, type, objectId: object.id }) ?? {},
  )
}

/**
 * A dropped event also gets one delivery, so that the dashboard can show it. With "newest first", deliveries
 * become due in batches; otherwise older events would already be sent.
 */
async function scheduleDeliveries(tx: Tx, eventId: string, fault: DeliveryFault): Promise<void> {
  await tx.query(
    `with plan as (
       select
         coalesce($3, mode) as mode,
         case when coalesce($3, mode) = 'drop' then 1 else coalesce($5, copies) end as copies,
         $2::timestamptz + coalesce($4::float8 / 1000, delay_seconds) * interval '1 second' as due_at,
         newest_first
       from sandbox.delivery_settings
     )
     insert into sandbox.deliveries (event_id, state, due_at)
     select
       $1,
       case mode when 'send' then 'pending' when 'hold' then 'held' else 'dropped' end,
       case when newest_first
         then to_timestamp(ceil(extract(epoch from due_at) / $6::int) * $6::int)
         else due_at
       end
     from plan, generate_series(1, plan.copies)`,
    [
      eventId,
      tx.now,
      fault.mode ?? null,
      fault.delayMs ?? null,
      fault.copies ?? null,
      NEWEST_FIRST_BATCH_SECONDS,
    ],
  )
}

/** Adds another delivery, regardless of earlier ones. Returns false if the event does not exist. */
export async function resendEvent(tx: Tx, eventId: string): Promise<boolean> {
  if (!(await findObject(tx, 'event', eventId))) return false
  await tx.query(`insert into sandbox.deliveries (event_id, state, due_at) values ($1, 'pending', $2)`, [
    eventId,
    tx.now,
  ])
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

async function retrieveEvent({ tx, id }: Call): Promise<EventBody> {
  const { body } = await getObject(tx, 'event', id)
  const pending = await countPending(tx, [id])
  return { ...body, pending_webhooks: pending.get(id) ?? 0 }
}

const ListParams = z.strictObject({ ...page, type: text.optional(), types: list(text).optional() })

async function listEvents({ tx, params: { type, types, ...page } }: Call<z.output<typeof ListParams>>) {
  const events = await listObjects(tx, 'event', '/v1/events', page, { type: types ?? type })
  const pending = await countPending(
    tx,
    events.data.map(({ id }) => id),
  )
  const data = events.data.map((event) => ({ ...event, pending_webhooks: pending.get(event.id) ?? 0 }))
  return { ...events, data }
}

export const eventRoutes = [
  route('GET', '/v1/events', ListParams, listEvents),
  route('GET', '/v1/events/:id', z.strictObject({}), retrieveEvent),
]
