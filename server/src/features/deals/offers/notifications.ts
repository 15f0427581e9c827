import { defineNotification } from '../../notifications/define-notification.ts'
import { openConversation } from './conversation-link.ts'

interface Offer {
  id: number
  wantedItemId: number
  buyerId: string
  sellerId: string
  amount: number
}

const toOther = ({ id, wantedItemId, buyerId, sellerId, amount }: Offer, by: string) => ({
  to: by === buyerId ? sellerId : buyerId,
  about: [id],
  by,
  wantedItemId,
  amount,
})

export const offerMade = defineNotification('offer_made', {
  to: toOther,
  title: ({ actorName, itemTitle, amount }) => `${actorName} offers “${itemTitle}” for ${amount}`,
  text: 'You can accept or reject the offer, or suggest another price.',
  link: openConversation,
})

export const offerAccepted = defineNotification('offer_accepted', {
  to: toOther,
  title: ({ actorName, itemTitle, amount }) => `${actorName} accepted ${amount} for “${itemTitle}”`,
  text: ({ role, amount }) =>
    role === 'buyer'
      ? `Pay ${amount} into escrow, so that the seller can ship.`
      : 'Don’t ship yet. We’ll let you know when the payment is in escrow.',
  link: openConversation,
})

export const offerRejected = defineNotification('offer_rejected', {
  to: toOther,
  title: ({ actorName, itemTitle, amount }) => `${actorName} rejected ${amount} for “${itemTitle}”`,
  text: 'You can keep talking and make another offer.',
  link: openConversation,
})

export const offerCountered = defineNotification('offer_countered', {
  to: toOther,
  title: ({ actorName, itemTitle, amount }) => `${actorName} suggests ${amount} for “${itemTitle}”`,
  text: 'You can accept or reject this price.',
  link: openConversation,
})

/** Sellers with open offers on the request. */
const toSellers = ({ id, wantedItemId }: { id: number; wantedItemId: number }, sellers: string[]) =>
  sellers.map((to) => ({ to, about: [id], wantedItemId }))

/** Another deal has reserved the request. */
export const requestReserved = defineNotification('request_reserved', {
  to: toSellers,
  title: ({ itemTitle }) => `“${itemTitle}” is reserved`,
  text: 'The buyer pays another seller. Your offer stays open until it expires: if that deal is cancelled, the buyer can accept it. You can also withdraw it.',
  link: openConversation,
})

export const requestReopened = defineNotification('request_reopened', {
  kind: 'request_reserved',
  to: toSellers,
  title: ({ itemTitle }) => `“${itemTitle}” is open again`,
  text: 'The other deal was cancelled or not paid. The buyer can accept your offer now.',
  link: openConversation,
})
