import type { PublicUser } from '@sought/contract/accounts'
import type { Conversation } from '@sought/contract/messages'
import type { Offer } from '@sought/contract/offers'

/** The two people and the request of a conversation. */
export interface Parties {
  /** The id of the signed-in user. */
  me: string
  other: PublicUser
  item: Conversation['wantedItem']
}

/** The owner of the request is the buyer. */
export const isBuyer = ({ me, item }: Parties): boolean => item.userId === me

interface Deal {
  wantedItemId: number
  buyerId: string
  sellerId: string
}

/** Whether an offer or a payment belongs to this conversation. */
export function isBetween({ me, other, item }: Parties, { wantedItemId, buyerId, sellerId }: Deal): boolean {
  return (
    wantedItemId === item.id && [buyerId, sellerId].includes(me) && [buyerId, sellerId].includes(other.id)
  )
}

/** Whether the user proposed this offer. */
export function isProposer({ me }: Parties, offer: Offer): boolean {
  return me === (offer.proposedBy === 'seller' ? offer.sellerId : offer.buyerId)
}
