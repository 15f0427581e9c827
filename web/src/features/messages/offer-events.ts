import type { Offer } from '@sought/contract/offers'

/** Something that a person did with an offer, shown as a line in the thread. */
export interface OfferEvent {
  key: string
  action: 'offered' | 'countered' | 'accepted' | 'rejected' | 'withdrew'
  actorId: string
  offer: Offer
  at: Date
}

export function listOfferEvents(offers: readonly Offer[]): OfferEvent[] {
  return offers.flatMap((offer) => {
    const [proposerId, responderId] =
      offer.proposedBy === 'seller' ? [offer.sellerId, offer.buyerId] : [offer.buyerId, offer.sellerId]
    const event = (action: OfferEvent['action'], actorId: string, at: string | null): OfferEvent[] =>
      at ? [{ key: `${offer.id}:${action}`, action, actorId, offer, at: new Date(at) }] : []
    return [
      ...event(offer.proposedBy === 'seller' ? 'offered' : 'countered', proposerId, offer.createdAt),
      ...event('accepted', responderId, offer.acceptedAt),
      ...event('rejected', responderId, offer.rejectedAt),
      // A replaced offer was not withdrawn by a person, so it gets no line.
      ...(offer.replacedBy === null ? event('withdrew', proposerId, offer.withdrawnAt) : []),
    ]
  })
}
