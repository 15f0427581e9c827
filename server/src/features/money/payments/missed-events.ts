import type { Tx } from '../../../database/database.ts'
import {
  type CardProvider,
  isForeign,
  type ProviderEvent,
  ProviderFailed,
} from '../../../providers/stripe/card-provider.ts'
import type { Services } from '../../../services.ts'
import { handleStored } from './provider-events.ts'
import { type EventCursor, findEventCursor, insertEvent, saveEventCursor } from './provider-queries.ts'

/*
 * The provider stops redelivering events after a while, and a missed chargeback would let the money go to the seller.
 * So its list of events is read too, from where the last sweep ended. Events that did arrive are recognised by their
 * id.
 */

/** The provider may list an event some time after it has happened. */
const OVERLAP_MS = 10 * 60_000
/** How far back the first sweep of an installation reads. */
const FIRST_MS = 7 * 86_400_000
/** After a long outage, the next sweeps read the rest. */
const PAGES_PER_SWEEP = 10

export async function fetchMissedEvents(services: Services, signal?: AbortSignal): Promise<void> {
  const { cards, log } = services
  if (!cards) return
  try {
    for (let page = 0; page < PAGES_PER_SWEEP && !signal?.aborted; page++)
      if (!(await fetchPage(services, cards))) return
  } catch (error) {
    if (!(error instanceof ProviderFailed)) throw error
    log.warn({ err: error }, 'could not fetch missed events')
  }
}

/** Returns whether there are more. The events of a page are stored together with the place where the next begins. */
async function fetchPage(services: Services, cards: CardProvider): Promise<boolean> {
  const { database, clock } = services
  const cursor = await findEventCursor(database.read)
  const from = cursor.readUntil ?? new Date(clock().getTime() - FIRST_MS)
  const until = cursor.readingUntil ?? clock()
  const since = new Date(from.getTime() - OVERLAP_MS)
  const { events, hasMore } = await listEvents(cards, { since, until, after: cursor.after })
  const ours: ProviderEvent[] = []
  for (const event of events) if (!(await isForeign(cards, event))) ours.push(event)
  const last = hasMore ? events.at(-1) : undefined
  const next: EventCursor = last
    ? { readUntil: from, readingUntil: until, after: last.id }
    : { readUntil: until, readingUntil: null, after: null }
  const added = await database.transact(async (tx) => {
    await saveEventCursor(tx, cursor, next)
    tx.activities.push('events_page')
    return storeNew(tx, ours)
  })
  await handleStored(services, cards, added)
  return last !== undefined
}

async function storeNew(tx: Tx, events: ProviderEvent[]): Promise<ProviderEvent[]> {
  const added: ProviderEvent[] = []
  for (const event of events) if (await insertEvent(tx, event)) added.push(event)
  return added
}

/** The provider forgets events after a month. If it has forgotten where we stopped, this stretch is read again. */
async function listEvents(
  cards: CardProvider,
  page: Parameters<CardProvider['listEvents']>[0],
): ReturnType<CardProvider['listEvents']> {
  try {
    return await cards.listEvents(page)
  } catch (error) {
    const isForgotten = error instanceof ProviderFailed && error.reason === 'resource_missing'
    if (!isForgotten || page.after === null) throw error
    return cards.listEvents({ ...page, after: null })
  }
}
