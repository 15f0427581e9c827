import type { Message } from '@sought/contract/messages'
import type { Payment } from '@sought/contract/payments'
import type { OfferStep } from './offer-steps.ts'
import type { Outgoing } from './outbox.ts'

/** What stands in a thread, from top to bottom. */
export type Entry = { key: string; at: Date } & (
  | { kind: 'day' }
  | { kind: 'message'; message: Message }
  | { kind: 'outgoing'; outgoing: Outgoing }
  | { kind: 'step'; step: OfferStep }
  | { kind: 'payment'; payment: Payment }
)

interface Happened {
  /** As the server gives them: the latest first. */
  messages: readonly Message[]
  /** There are older messages that have not been read yet. */
  hasOlder: boolean
  outgoing: readonly Outgoing[]
  steps: readonly OfferStep[]
  payments: readonly Payment[]
}

/** Messages, offers and payments in the order of time, a line before each new day, and last what is on its way. */
export function threadEntries({ messages, hasOlder, outgoing, steps, payments }: Happened): Entry[] {
  const arrived = new Set(messages.map((message) => message.clientId))
  // What happened between messages that are not here yet comes with them.
  const from = hasOlder ? new Date(messages.at(-1)?.createdAt ?? 0) : new Date(0)
  const between = [...steps.map(stepEntry), ...payments.map(paymentEntry)].filter(({ at }) => at >= from)
  const shown = [...messages.toReversed().map(messageEntry), ...between].sort(
    (a, b) => a.at.getTime() - b.at.getTime(),
  )
  const coming = outgoing
    .filter(({ clientId }) => !arrived.has(clientId))
    .map((it) => outgoingEntry(it, shown.at(-1)?.at))
  return withDays([...shown, ...coming])
}

const messageEntry = (message: Message): Entry => ({
  kind: 'message',
  // The same key as while it was on its way, so that it stays the same thing on the screen.
  key: `${message.senderId} ${message.clientId ?? message.id}`,
  at: new Date(message.createdAt),
  message,
})

/** It stands last, and so never under an earlier day than what is above it, however long ago it failed. */
const outgoingEntry = (outgoing: Outgoing, last = outgoing.at): Entry => ({
  kind: 'outgoing',
  key: `${outgoing.me} ${outgoing.clientId}`,
  at: new Date(Math.max(outgoing.at.getTime(), last.getTime())),
  outgoing,
})

const stepEntry = (step: OfferStep): Entry => ({ kind: 'step', key: `offer ${step.key}`, at: step.at, step })

const paymentEntry = (payment: Payment): Entry => ({
  kind: 'payment',
  key: `payment ${payment.id}`,
  at: new Date(payment.updatedAt),
  payment,
})

function withDays(entries: readonly Entry[]): Entry[] {
  return entries.flatMap((entry, index): Entry[] => {
    const day = entry.at.toDateString()
    if (entries[index - 1]?.at.toDateString() === day) return [entry]
    return [{ kind: 'day', key: day, at: entry.at }, entry]
  })
}
