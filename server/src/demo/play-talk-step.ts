import type { Tx } from '../database/database.ts'
import { markMessagesRead, sendMessage } from '../features/deals/messages/actions.ts'
import {
  acceptOffer,
  counterOffer,
  makeOffer,
  rejectOffer,
  withdrawOffer,
} from '../features/deals/offers/actions.ts'
import type { DemoStep } from './conversations.ts'

/** The state of a conversation: its latest offer, and the payment of that offer. */
export interface Deal {
  itemId: number
  offerId: number
  amountCents: number
  paymentId: number
}

type Person = { id: string }

const TALK = ['say', 'offer', 'counter', 'accept', 'reject', 'withdraw', 'read'] as const
export type TalkStep = Extract<DemoStep, { does: (typeof TALK)[number] }>

export const isTalk = (step: DemoStep): step is TalkStep => TALK.some((does) => does === step.does)

/** Each step first marks the other person's messages as read. */
export async function playTalkStep(
  tx: Tx,
  step: TalkStep,
  deal: Deal,
  person: Person,
  other: Person,
  photoIds: number[],
  publicUrl: string,
): Promise<void> {
  const addressed = { wantedItemId: deal.itemId, receiverId: other.id }
  await markMessagesRead(tx, { wantedItemId: deal.itemId, senderId: other.id }, person)
  switch (step.does) {
    case 'say':
      await sendMessage(tx, { ...addressed, content: step.words, photoIds }, person, publicUrl)
      return
    case 'offer': {
      const offer = await makeOffer(
        tx,
        {
          ...addressed,
          amount: step.amountCents,
          message: step.words,
          photoIds,
          delivery: step.delivery ?? 'arranged',
        },
        person,
      )
      Object.assign(deal, { offerId: offer.id, amountCents: offer.amount })
      return
    }
    case 'counter': {
      const terms = { amount: step.amountCents, message: step.words, photoIds }
      const offer = await counterOffer(tx, deal.offerId, terms, person)
      Object.assign(deal, { offerId: offer.id, amountCents: offer.amount })
      return
    }
    case 'accept':
      await acceptOffer(tx, deal.offerId, person)
      return
    case 'reject':
      await rejectOffer(tx, deal.offerId, person)
      return
    case 'withdraw':
      await withdrawOffer(tx, deal.offerId, person)
      return
    case 'read':
      return
  }
}
