import { updateRows } from '../../../database/rows.ts'
import { webhookEvents } from '../../../database/schema.ts'
import {
  type CardProvider,
  isForeign,
  type ProviderEvent,
  ProviderFailed,
} from '../../../providers/stripe/card-provider.ts'
import type { Services } from '../../../services.ts'
import { syncAccount } from '../payouts/account-health.ts'
import { findParkedEvents, insertEvent } from './provider-queries.ts'
import { syncCharge, syncPayment } from './sync-payment.ts'

const PARKED_BATCH = 100
/**
 * The provider redelivers an event for three days. We retry events without a matching payment for the same
 * time.
 */
const PARKED_DAYS = 3
/** Longer than any outage we expect. */
const MISSED_DAYS = 7
const DAY_MS = 86_400_000

/**
 * Receives an event with a valid signature. It is stored first: if handling fails, the sweep retries it, and
 * the provider need not send it again.
 */
export async function receiveEvent(
  services: Services,
  cards: CardProvider,
  event: ProviderEvent,
): Promise<void> {
  const { database, log } = services
  if (await isForeign(cards, event)) return
  const isNew = await database.transact((tx) => insertEvent(tx, event))
  if (!isNew) return
  await handleEvent(services, cards, event).catch((error) =>
    log.warn({ err: error, event }, 'could not handle an event, will retry'),
  )
}

export async function retryParkedEvents(services: Services): Promise<void> {
  const { database, cards, log, clock } = services
  if (!cards) return
  const since = new Date(clock().getTime() - PARKED_DAYS * DAY_MS)
  const parked = await database.transact((tx) => findParkedEvents(tx, since, PARKED_BATCH))
  for (const event of parked) {
    await handleEvent(services, cards, event).catch((error) =>
      log.warn({ err: error, event }, 'could not handle a parked event, will retry'),
    )
  }
}

/**
 * The provider stops redelivering after a while, and a missed chargeback would let the money go to the seller.
 * So recent events about money are also fetched. Events that did arrive are recognised by their id.
 */
export async function fetchMissedEvents(services: Services): Promise<void> {
  const { cards, log, clock } = services
  if (!cards) return
  const since = new Date(clock().getTime() - MISSED_DAYS * DAY_MS)
  try {
    for (const event of await cards.missedEvents(since)) await receiveEvent(services, cards, event)
  } catch (error) {
    if (!(error instanceof ProviderFailed)) throw error
    log.warn({ err: error }, 'could not fetch missed events')
  }
}

/** An event only names an object; its state is read from the provider (ADR 5). Everything here is idempotent. */
async function handleEvent(services: Services, cards: CardProvider, event: ProviderEvent): Promise<void> {
  const isHandled = await dispatchEvent(services, cards, event)
  if (isHandled)
    await services.database.transact((tx) =>
      updateRows(tx, webhookEvents, { id: event.id }, { status: 'handled', handledAt: tx.now }),
    )
}

/**
 * Returns false if the event must be handled later: its payment does not exist yet, or a transfer is in
 * progress.
 */
async function dispatchEvent(
  services: Services,
  cards: CardProvider,
  event: ProviderEvent,
): Promise<boolean> {
  const { type, objectId } = event
  switch (type) {
    case 'payment_intent.succeeded':
    case 'payment_intent.processing':
    case 'payment_intent.requires_action':
    case 'payment_intent.payment_failed':
    case 'payment_intent.canceled':
      return (await syncPayment(services, cards, objectId)) !== 'not found'
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
    case 'charge.dispute.closed':
    case 'charge.refunded':
    case 'charge.refund.updated':
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
    case 'transfer.reversed':
    case 'radar.early_fraud_warning.created':
    case 'radar.early_fraud_warning.updated':
    case 'review.opened':
    case 'review.closed': {
      const intentId = await cards.intentOf(event)
      if (intentId === null) return true
      const outcome = await syncCharge(services, cards, intentId)
      return outcome === 'synced' || outcome === 'foreign'
    }
    case 'account.updated':
    case 'account.application.deauthorized':
    case 'account.external_account.created':
    case 'account.external_account.updated':
    case 'account.external_account.deleted':
    case 'capability.updated':
    case 'payout.paid':
    case 'payout.failed':
      await syncAccount(services, cards, objectId)
      return true
    default:
      // All other types report our own actions.
      return true
  }
}
