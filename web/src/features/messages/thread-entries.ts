import type { Message } from '@sought/contract/messages'
import type { Payment } from '@sought/contract/payments'
import type { OfferEvent } from './offer-events.ts'
import type { OutgoingMessage } from './outbox.ts'

export type Entry = { key: string; at: Date } & (
  | { kind: 'day' }
  | { kind: 'message'; message: Message }
  | { kind: 'outgoing'; outgoing: OutgoingMessage }
  | { kind: 'offer'; event: OfferEvent }
  | { kind: 'payment'; payment: Payment }
)

interface ThreadContent {
  /** The latest first. */
  messages: readonly Message[]
  /** Whether there are older messages that have not been loaded yet. */
  hasOlder: boolean
  outgoing: readonly OutgoingMessage[]
  events: readonly OfferEvent[]
  payments: readonly Payment[]
}

/** Messages, offer events and payments by time, with a line before each day. Outgoing messages come last. */
export function listThreadEntries({
  messages,
  hasOlder,
  outgoing,
  events,
  payments,
}: ThreadContent): Entry[] {
  const receivedIds = new Set(messages.map((message) => message.clientId))
  // Events older than the loaded messages appear when those messages are loaded.
  const from = hasOlder ? new Date(messages.at(-1)?.createdAt ?? 0) : new Date(0)
  const others = [...events.map(offerEntry), ...payments.map(paymentEntry)].filter(({ at }) => at >= from)
  const shown = [...messages.toReversed().map(messageEntry), ...others].sort(
    (a, b) => a.at.getTime() - b.at.getTime(),
  )
  const pending = outgoing
    .filter(({ clientId }) => !receivedIds.has(clientId))
    .map((it) => outgoingEntry(it, shown.at(-1)?.at))
  return addDayLines([...shown, ...pending])
}

const messageEntry = (message: Message): Entry => ({
  kind: 'message',
  // The key of the outgoing message, so that React keeps the same element.
  key: `${message.senderId} ${message.clientId ?? message.id}`,
  at: new Date(message.createdAt),
  message,
})

/** An old failed message is dated like the last entry, so that it does not start an earlier day below it. */
const outgoingEntry = (outgoing: OutgoingMessage, last = outgoing.at): Entry => ({
  kind: 'outgoing',
  key: `${outgoing.me} ${outgoing.clientId}`,
  at: new Date(Math.max(outgoing.at.getTime(), last.getTime())),
  outgoing,
})

const offerEntry = (event: OfferEvent): Entry => ({
  kind: 'offer',
  key: `offer ${event.key}`,
  at: event.at,
  event,
})

const paymentEntry = (payment: Payment): Entry => ({
  kind: 'payment',
  key: `payment ${payment.id}`,
  at: new Date(payment.updatedAt),
  payment,
})

function addDayLines(entries: readonly Entry[]): Entry[] {
  return entries.flatMap((entry, index): Entry[] => {
    const day = entry.at.toDateString()
    if (entries[index - 1]?.at.toDateString() === day) return [entry]
    return [{ kind: 'day', key: day, at: entry.at }, entry]
  })
}
