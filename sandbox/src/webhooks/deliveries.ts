import { type Clock, type Database, firstRow, type Tx } from '../database.ts'
import type { Webhook } from './webhook-endpoints.ts'
import { signBody } from './webhook-signature.ts'

/*
 * Sends events to the webhook endpoints. A worker claims a delivery by locking its row until the response is
 * stored. So two processes never send the same delivery, and a process that dies releases its deliveries
 * immediately.
 */

/** Concurrent deliveries of one process. */
export const MAX_CONCURRENT_DELIVERIES = 3
const RESPONSE_TIMEOUT_MS = 10_000
const FIRST_RETRY_MS = 1_000
const MAX_RETRY_MS = 3_600_000
const GIVE_UP_MS = 3 * 86_400_000
const STORED_RESPONSE_LENGTH = 300

interface Claimed {
  id: string
  tries: number
  /** When the event was created. */
  createdAt: Date
  body: string
  /** Null if the endpoint was deleted or disabled. */
  url: string | null
  secret: string | null
  /** Whether it belongs to the endpoint in the sandbox's options, and not to one that was created by a call. */
  managed: boolean
}

interface Outcome {
  ok: boolean
  status: number | null
  text: string
}

export interface DeliveryWorker {
  /** Sends one due delivery. Returns false if there is none. */
  sendNext(signal: AbortSignal): Promise<boolean>
}

/**
 * Each process can have its own webhook in its options and sends deliveries to that one. A process without a webhook
 * leaves these deliveries to the other processes.
 */
export function createDeliveryWorker(
  database: Database,
  clock: Clock,
  ownWebhook: Webhook | null,
): DeliveryWorker {
  return {
    async sendNext(signal) {
      // Most calls find nothing, and this check costs less than a transaction.
      if (!(await isAnyDue(database.read()))) return false
      return database.transact(async (tx) => {
        const claimed = await claimDelivery(tx, ownWebhook !== null)
        if (!claimed) return false
        const { url, secret, body, managed } = claimed
        if (url === null || secret === null) {
          await cancelDelivery(tx, claimed.id)
          return true
        }
        const webhook = (managed && ownWebhook) || { url, secret }
        const outcome = await sendToWebhook(webhook, body, clock(), signal)
        await recordOutcome(tx, claimed, outcome, clock())
        return true
      })
    },
  }
}

async function isAnyDue(tx: Tx): Promise<boolean> {
  const due = await tx.query(
    `select from sandbox.deliveries where state = 'pending' and due_at <= $1 limit 1`,
    [tx.now],
  )
  return due.length > 0
}

/** With "newest first", all processes together send only one delivery at a time, to keep the order. */
async function claimDelivery(tx: Tx, hasWebhook: boolean): Promise<Claimed | undefined> {
  const settings = firstRow(
    await tx.query<{ newestFirst: boolean; free: boolean }>(
      `select newest_first as "newestFirst",
         not newest_first or pg_try_advisory_xact_lock(hashtextextended('sandbox newest first', 0)) as free
       from sandbox.delivery_settings`,
    ),
  )
  if (!settings?.free) return undefined
  const order = settings.newestFirst ? 'd.id desc' : 'd.due_at, d.id'
  return firstRow(
    await tx.query<Claimed>(
      `select d.id, d.tries, e.created_at as "createdAt", e.body::text as body,
         w.body ->> 'url' as url, w.hidden ->> 'secret' as secret,
         coalesce((w.hidden ->> 'managed')::boolean, false) as managed
       from sandbox.deliveries d join sandbox.objects e on e.id = d.event_id
       left join sandbox.objects w on w.id = d.endpoint_id
         and w.hidden ->> 'deleted' is null and w.body ->> 'status' = 'enabled'
       where d.state = 'pending' and d.due_at <= $1
         and ($2 or w.hidden ->> 'managed' is null)
       order by ${order} limit 1
       for update of d skip locked`,
      [tx.now, hasWebhook],
    ),
  )
}

async function sendToWebhook(
  webhook: Webhook,
  body: string,
  now: Date,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    const answer = await fetch(webhook.url, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': signBody(body, webhook.secret, now),
        'user-agent': 'Stripe/1.0 (sandbox)',
      },
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(RESPONSE_TIMEOUT_MS)]),
    })
    const text = (await answer.text()).replaceAll('\0', '').slice(0, STORED_RESPONSE_LENGTH)
    return { ok: answer.ok, status: answer.status, text }
  } catch (error) {
    // An abort by stop() does not count as an attempt.
    if (signal.aborted) throw error
    return { ok: false, status: null, text: describeError(error) }
  }
}

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return 'no answer'
  if (error.name === 'TimeoutError') return `no answer within ${RESPONSE_TIMEOUT_MS / 1_000} seconds`
  return error.cause instanceof Error ? error.cause.message : error.message
}

async function recordOutcome(
  tx: Tx,
  { id, tries, createdAt }: Claimed,
  outcome: Outcome,
  now: Date,
): Promise<void> {
  const next = new Date(now.getTime() + retryDelayMs(tries))
  const givesUp = next.getTime() - createdAt.getTime() > GIVE_UP_MS
  await tx.query(
    `update sandbox.deliveries
     set state = $2, due_at = $3, tries = tries + 1, answer_status = $4, answer_text = $5, tried_at = $6
     where id = $1`,
    [id, outcome.ok ? 'delivered' : givesUp ? 'failed' : 'pending', next, outcome.status, outcome.text, now],
  )
}

async function cancelDelivery(tx: Tx, id: string): Promise<void> {
  await tx.query(
    `update sandbox.deliveries set state = 'failed', answer_text = 'The endpoint was deleted or disabled.'
     where id = $1`,
    [id],
  )
}

/** 1 s, 2 s, 4 s and so on, up to an hour. */
const retryDelayMs = (tries: number) => Math.min(FIRST_RETRY_MS * 2 ** Math.min(tries, 20), MAX_RETRY_MS)

/** Makes held deliveries due now and returns their number. */
export async function releaseHeld(tx: Tx): Promise<number> {
  const released = await tx.query(
    `update sandbox.deliveries set state = 'pending', due_at = $1 where state = 'held' returning id`,
    [tx.now],
  )
  return released.length
}

export async function countWaiting(tx: Tx): Promise<{ pending: number; held: number }> {
  const counted = await tx.query<{ state: string; deliveries: number }>(
    `select state, count(*)::int as deliveries from sandbox.deliveries
     where state in ('pending', 'held') group by state`,
  )
  const byState = new Map(counted.map(({ state, deliveries }) => [state, deliveries]))
  return { pending: byState.get('pending') ?? 0, held: byState.get('held') ?? 0 }
}
