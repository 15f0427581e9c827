import { read, send } from '../features/messages/actions.ts'
import { accept, counter, make, reject, withdraw } from '../features/offers/actions.ts'
import type { Tx } from '../platform/database.ts'
import type { DemoConversation, DemoStep } from './conversations.ts'

const HOUR_MS = 3_600_000

/** What the conversations are about and who holds them, by the demo's keys. */
export interface Cast {
  itemOf(key: string): { id: number; ownerKey: string }
  personOf(key: string): { id: string }
}

/**
 * Has the conversations happen, each step at its own moment and by the action that people use: the demo holds
 * nothing that could not have come about. The steps of all of them run in the order of time, so that ids do too.
 */
export async function converse(
  tx: Tx,
  conversations: readonly DemoConversation[],
  cast: Cast,
): Promise<void> {
  const steps = conversations
    .flatMap((conversation) => {
      const lastOffer: LastOffer = { id: 0 }
      return conversation.steps.map((step) => ({ step, conversation, lastOffer }))
    })
    .toSorted((one, other) => other.step.hoursAgo - one.step.hoursAgo)
  for (const { step, conversation, lastOffer } of steps) {
    await take(momentOf(tx, step.hoursAgo), step, conversation, lastOffer, cast)
  }
}

/** The latest offer or counter-offer of one conversation. */
interface LastOffer {
  id: number
}

/** The same transaction, as it was so long ago. */
function momentOf(tx: Tx, hoursAgo: number): Tx {
  return Object.create(tx, { now: { value: new Date(tx.now.getTime() - hoursAgo * HOUR_MS) } })
}

async function take(
  tx: Tx,
  step: DemoStep,
  { about, with: withKey }: DemoConversation,
  lastOffer: LastOffer,
  { itemOf, personOf }: Cast,
): Promise<void> {
  const item = itemOf(about)
  const person = personOf(step.by)
  const other = personOf(step.by === withKey ? item.ownerKey : withKey)
  const addressed = { wantedItemId: item.id, receiverId: other.id }
  await read(tx, { wantedItemId: item.id, senderId: other.id }, person)
  switch (step.does) {
    case 'say':
      await send(tx, { ...addressed, content: step.words }, person)
      return
    case 'offer': {
      const made = await make(tx, { ...addressed, amount: step.amountCents, message: step.words }, person)
      lastOffer.id = made.id
      return
    }
    case 'counter': {
      const terms = { amount: step.amountCents, message: step.words }
      lastOffer.id = (await counter(tx, lastOffer.id, terms, person)).id
      return
    }
    case 'accept':
      await accept(tx, lastOffer.id, person)
      return
    case 'reject':
      await reject(tx, lastOffer.id, person)
      return
    case 'withdraw':
      await withdraw(tx, lastOffer.id, person)
      return
    case 'read':
      return
  }
}
