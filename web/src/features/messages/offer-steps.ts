import type { Offer } from '@sought/contract/offers'

/** One thing that happened to an offer, for its line in the thread. */
export interface OfferStep {
  key: string
  did: 'offered' | 'countered' | 'accepted' | 'rejected' | 'withdrew'
  by: string
  offer: Offer
  at: Date
}

export function offerSteps(offers: readonly Offer[]): OfferStep[] {
  return offers.flatMap((offer) => {
    const [proposer, answerer] =
      offer.proposedBy === 'seller' ? [offer.sellerId, offer.buyerId] : [offer.buyerId, offer.sellerId]
    const step = (did: OfferStep['did'], by: string, at: string | null): OfferStep[] =>
      at ? [{ key: `${offer.id}:${did}`, did, by, offer, at: new Date(at) }] : []
    return [
      ...step(offer.proposedBy === 'seller' ? 'offered' : 'countered', proposer, offer.createdAt),
      ...step('accepted', answerer, offer.acceptedAt),
      ...step('rejected', answerer, offer.rejectedAt),
      ...(wasReplaced(offer, offers) ? [] : step('withdrew', proposer, offer.withdrawnAt)),
    ]
  })
}

/** Answering one offer withdraws its siblings at the same moment: nobody did that, so it has no line. */
function wasReplaced({ id, withdrawnAt }: Offer, offers: readonly Offer[]): boolean {
  if (!withdrawnAt) return false
  return offers.some(
    (other) => other.id !== id && (other.acceptedAt === withdrawnAt || other.createdAt === withdrawnAt),
  )
}
