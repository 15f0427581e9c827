import { paths } from '@sought/contract/paths'
import { removeDirectionMarks } from '../../platform/direction-marks.ts'
import type { NotificationEvent } from './build-notifications.ts'

/** What there is to say, as it is today. */
interface Told {
  happening: NotificationEvent
  /** Whether the person told is the buyer or the seller of it. */
  role: 'buyer' | 'seller'
  /** Whoever did it, where a person did. */
  actorId: string | null
  actorName: string
  itemId: number
  itemTitle: string
  paymentId: number
  /** Already written, in the deployment's currency. */
  amount: string
}

export interface Words {
  title: string
  text: string
  /** The screen that it leads to, and what a button that leads there says. */
  path: string
  action: string
}

/** What the bell and the mail say, in the same words. */
export function notificationText(told: Told): Words {
  const { title, text } = said[told.happening]({
    ...told,
    itemTitle: removeDirectionMarks(told.itemTitle),
  })
  return { title, text, ...leadsTo(told) }
}

type Saying = (told: Told) => { title: string; text: string }

const said: Record<NotificationEvent, Saying> = {
  message: ({ actorName, itemTitle }) => ({
    title: `New message from ${actorName}`,
    text: `${actorName} wrote to you about “${itemTitle}”.`,
  }),
  offer_made: ({ actorName, itemTitle, amount }) => ({
    title: `${actorName} offers “${itemTitle}” for ${amount}`,
    text: 'You can accept the offer, reject it or name another price.',
  }),
  offer_accepted: ({ role, actorName, itemTitle, amount }) => ({
    title: `${actorName} accepted ${amount} for “${itemTitle}”`,
    text:
      role === 'buyer'
        ? 'The price is agreed. Pay it into escrow, and the seller can deliver.'
        : 'The price is agreed. Wait with the delivery until the payment is in escrow: you will be told.',
  }),
  offer_rejected: ({ actorName, itemTitle, amount }) => ({
    title: `${actorName} rejected ${amount} for “${itemTitle}”`,
    text: 'You can still talk, and make another offer.',
  }),
  offer_countered: ({ actorName, itemTitle, amount }) => ({
    title: `${actorName} would pay ${amount} for “${itemTitle}”`,
    text: 'Your offer was answered with another price. You can accept or reject it.',
  }),
  payment_held: ({ role, actorName, itemTitle, amount }) =>
    role === 'buyer'
      ? {
          title: `Your ${amount} for “${itemTitle}” is in escrow`,
          text: 'The seller was told to deliver. Confirm the delivery once it is in your hands.',
        }
      : {
          title: `${amount} for “${itemTitle}” is in escrow`,
          text: `${actorName} has paid, so that you can deliver now. The money is yours once the delivery is confirmed.`,
        },
  delivery_confirmed: ({ actorName, itemTitle }) => ({
    title: `${actorName} confirmed the delivery of “${itemTitle}”`,
    text: 'The money leaves escrow at once.',
  }),
  funds_released: ({ role, itemTitle, amount }) =>
    role === 'buyer'
      ? {
          title: `The hold on “${itemTitle}” has run out`,
          text: `Nobody objected in time, so that ${amount} went to the seller.`,
        }
      : {
          title: `${amount} for “${itemTitle}” is yours`,
          text: 'It was released from escrow, less the fees, and reaches your bank in 3-5 business days once your payouts are set up.',
        },
  escrow_ending: ({ itemTitle, amount }) => ({
    title: `One day left to object: “${itemTitle}”`,
    text: `In less than 24 hours ${amount} goes to the seller. Confirm the delivery, or report a problem before that.`,
  }),
  dispute_filed: ({ actorName, itemTitle, amount }) => ({
    title: `${actorName} reported a problem with “${itemTitle}”`,
    text: `${amount} stays in escrow until it is decided. Answer, and add your evidence.`,
  }),
  chargeback: ({ itemTitle, amount }) => ({
    title: `The buyer’s bank asked for the payment of “${itemTitle}” back`,
    text: `${amount} stays in escrow until the bank has decided.`,
  }),
  dispute_answered: ({ actorName, itemTitle }) => ({
    title: `${actorName} answered in the dispute about “${itemTitle}”`,
    text: 'Read what they say, and answer if you want to.',
  }),
  evidence_added: ({ actorName, itemTitle }) => ({
    title: `${actorName} added evidence to the dispute about “${itemTitle}”`,
    text: 'Look at it, and add your own if you want to.',
  }),
  settlement_proposed: ({ role, actorName, itemTitle, amount }) => ({
    title: `${actorName} proposes a settlement for “${itemTitle}”`,
    text:
      role === 'buyer'
        ? `You would get ${amount} back, and the rest would go to the seller. If you agree, it is done at once.`
        : `${amount} would go back to the buyer, and the rest to you. If you agree, it is done at once.`,
  }),
  dispute_reviewed: ({ itemTitle }) => ({
    title: `The dispute about “${itemTitle}” is under review`,
    text: 'Somebody of ours is looking at it. The money stays in escrow meanwhile.',
  }),
  more_info_asked: ({ itemTitle }) => ({
    title: `We need to know more about “${itemTitle}”`,
    text: 'Please read what is asked in the dispute, and answer with whatever you have.',
  }),
  dispute_ruled: (told) => ({
    title: `The dispute about “${told.itemTitle}” is decided`,
    text: calculateShare(told),
  }),
  dispute_settled: (told) => ({
    title: `The dispute about “${told.itemTitle}” is settled`,
    text: `You have agreed with each other. ${calculateShare(told)}`,
  }),
  dispute_withdrawn: ({ actorName, itemTitle }) => ({
    title: `${actorName} withdrew the dispute about “${itemTitle}”`,
    text: 'The hold runs on from where it stood.',
  }),
}

function calculateShare({ role, amount }: Told): string {
  return role === 'buyer' ? `${amount} comes back to you.` : `Your share is ${amount}.`
}

function leadsTo({ happening, role, actorId, itemId, paymentId }: Told): Pick<Words, 'path' | 'action'> {
  switch (happening) {
    case 'message':
    case 'offer_made':
    case 'offer_accepted':
    case 'offer_rejected':
    case 'offer_countered': {
      const conversation = actorId ? { itemId, userId: actorId } : { itemId }
      return { path: paths.messages(conversation), action: 'Open the conversation' }
    }
    case 'payment_held':
      return role === 'buyer'
        ? { path: paths.delivery(paymentId), action: 'Open the delivery' }
        : { path: paths.payments(), action: 'Open your transactions' }
    case 'escrow_ending':
      return { path: paths.delivery(paymentId), action: 'Confirm or report a problem' }
    case 'delivery_confirmed':
    case 'funds_released':
    // A dispute that was withdrawn has no screen any more.
    case 'dispute_withdrawn':
      return { path: paths.payments(), action: 'Open your transactions' }
    case 'dispute_filed':
    case 'chargeback':
    case 'dispute_answered':
    case 'evidence_added':
    case 'settlement_proposed':
    case 'dispute_reviewed':
    case 'more_info_asked':
    case 'dispute_ruled':
    case 'dispute_settled':
      return { path: paths.dispute(paymentId), action: 'Open the dispute' }
  }
}
