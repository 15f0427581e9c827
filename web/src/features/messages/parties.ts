import type { PublicUser } from '@sought/contract/accounts'
import type { Conversation } from '@sought/contract/messages'
import type { Offer } from '@sought/contract/offers'

/** A conversation is one request and one other person. */
export interface Parties {
  /** The id of whoever looks at the screen. */
  me: string
  other: PublicUser
  item: Conversation['wantedItem']
}

/** The owner of the request is the buyer (spec §6). */
export const isBuyer = ({ me, item }: Parties): boolean => item.userId === me

interface Between {
  wantedItemId: number
  buyerId: string
  sellerId: string
}

/** Whether an offer or a payment is one of this conversation. */
export function isBetween(
  { me, other, item }: Parties,
  { wantedItemId, buyerId, sellerId }: Between,
): boolean {
  return (
    wantedItemId === item.id && [buyerId, sellerId].includes(me) && [buyerId, sellerId].includes(other.id)
  )
}

/** Whether the viewer is the one who named this offer's amount. */
export function isProposer({ me }: Parties, offer: Offer): boolean {
  return me === (offer.proposedBy === 'seller' ? offer.sellerId : offer.buyerId)
}
