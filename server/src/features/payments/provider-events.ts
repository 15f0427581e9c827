import type { Services } from '../../platform/services.ts'
import {
  type CardProvider,
  type ProviderEvent,
  ProviderFailed,
} from '../../providers/stripe/card-provider.ts'
import { enqueueAccountPayouts } from '../payouts/send-payouts.ts'
import { applyChargeback } from './chargebacks.ts'
import { findParkedEvents, insertEvent, markHandled } from './event-queries.ts'
import { syncPayment } from './hold-payment.ts'

const PARKED_BATCH = 100
/** The provider repeats an undelivered event for three days; we keep one that we cannot place for as long. */
const PARKED_DAYS = 3
/** Longer than any outage that we would let last. */
const MISSED_DAYS = 7
const DAY_MS = 86_400_000

/**
 * Takes in an event whose signature was good. It is written down before anything else, so that whatever
 * fails from here on is tried again by the sweep, and the provider need not send it twice.
 */
export async function receive(services: Services, cards: CardProvider, event: ProviderEvent): Promise<void> {
  const { database, log } = services
  const isNew = await database.transact((tx) => insertEvent(tx, event))
  if (!isNew) return
  await handle(services, cards, event).catch((error) =>
    log.warn({ err: error, event }, 'an event could not be handled yet'),
  )
}

/** Tries again what could not be handled when it came. */
export async function retryParkedEvents(services: Services): Promise<void> {
  const { database, cards, log, clock } = services
  if (!cards) return
  const since = new Date(clock().getTime() - PARKED_DAYS * DAY_MS)
  const parked = await database.transact((tx) => findParkedEvents(tx, since, PARKED_BATCH))
  for (const event of parked) {
    await handle(services, cards, event).catch((error) =>
      log.warn({ err: error, event }, 'a parked event could not be handled yet'),
    )
  }
}

/**
 * The provider gives up on what it could not deliver, and a chargeback that nobody heard of would let the money
 * go. So what it has said of chargebacks is read as well; what had come already is known by its id.
 */
export async function fetchMissedEvents(services: Services): Promise<void> {
  const { cards, log, clock } = services
  if (!cards) return
  const since = new Date(clock().getTime() - MISSED_DAYS * DAY_MS)
  try {
    for (const event of await cards.chargebackEvents(since)) await receive(services, cards, event)
  } catch (error) {
    if (!(error instanceof ProviderFailed)) throw error
    log.warn({ err: error }, 'could not ask for missed events')
  }
}

/** An event only says where to look; what is true is asked for (ADR 7). All of this may be done twice. */
async function handle(services: Services, cards: CardProvider, event: ProviderEvent): Promise<void> {
  const placed = await act(services, cards, event)
  if (placed) await services.database.transact((tx) => markHandled(tx, event.id))
}

/** Whether the event has found what it is about. */
async function act(services: Services, cards: CardProvider, event: ProviderEvent): Promise<boolean> {
  const { type, objectId } = event
  switch (type) {
    case 'payment_intent.succeeded':
    case 'payment_intent.processing':
    case 'payment_intent.payment_failed':
    case 'payment_intent.canceled':
      return (await syncPayment(services, cards, objectId)) !== 'no such payment'
    case 'charge.dispute.created':
    case 'charge.dispute.closed':
      return applyChargeback(services, cards, event)
    case 'account.updated':
      await services.database.transact((tx) => enqueueAccountPayouts(tx, objectId))
      return true
    default:
      // Everything else is news of what we did ourselves.
      return true
  }
}
