import { refuse } from '../../../core/errors.ts'
import { updateRows } from '../../../database/rows.ts'
import { webhookEvents } from '../../../database/schema.ts'
import type { Actor } from '../../../http/session.ts'
import {
  type CardProvider,
  isForeign,
  ProviderDown,
  type ProviderEvent,
} from '../../../providers/stripe/card-provider.ts'
import { CONNECT_EVENTS, PLATFORM_EVENTS } from '../../../providers/stripe/webhook-events.ts'
import type { Services } from '../../../services.ts'
import { by, recordAudit } from '../../users/audit-log.ts'
import { syncAccount } from '../payouts/account-health.ts'
import { claimParkedEvents, insertEvent } from './provider-queries.ts'
import { syncCharge, syncPayment } from './sync-payment.ts'

export { countUnhandledEvents, findUnhandledEvents } from './provider-queries.ts'

const PARKED_BATCH = 100
/** All other types report our own actions, and need nothing. */
const NEEDED = new Set<string>([...PLATFORM_EVENTS, ...CONNECT_EVENTS])

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
  const isNeeded = NEEDED.has(event.type)
  const isNew = await database.transact((tx) => insertEvent(tx, event, isNeeded ? 'parked' : 'handled'))
  if (!isNew || !isNeeded) return
  await handleEvent(services, cards, event).catch((error) =>
    log.warn({ err: error, event }, 'could not handle an event, will retry'),
  )
}

/** Events stay parked until they can be handled or an admin dismisses them. The older they are, the rarer the tries. */
export async function retryParkedEvents(services: Services): Promise<void> {
  const { database, cards } = services
  if (!cards) return
  await handleStored(services, cards, await database.transact((tx) => claimParkedEvents(tx, PARKED_BATCH)))
}

/** Handles stored events until the provider is down. Those that fail stay parked. */
export async function handleStored(
  services: Services,
  cards: CardProvider,
  events: ProviderEvent[],
): Promise<void> {
  for (const event of events) {
    try {
      await handleEvent(services, cards, event)
    } catch (error) {
      services.log.warn({ err: error, event }, 'could not handle a parked event, will retry')
      if (error instanceof ProviderDown) return
    }
  }
}

/** An admin found that the event needs nothing, or did what it needs. */
export async function dismissEvent({ database }: Services, id: string, admin: Actor) {
  await database.transact(async (tx) => {
    if (!(await updateRows(tx, webhookEvents, { id, status: 'parked' }, { status: 'dismissed' })))
      throw refuse('event_not_found')
    await recordAudit(tx, { action: 'provider_event_dismissed', ...by(admin), details: { eventId: id } })
  })
  return { ok: true as const }
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
      return true
  }
}
