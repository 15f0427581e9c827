import type { Offer } from '@sought/contract/offers'

export type OfferState = Offer['status'] | 'expired'

/** An offer that nobody answered in time has expired, though nothing was written down when it did (ADR 21). */
export function stateOf(offer: Offer, now: Date): OfferState {
  return offer.status === 'pending' && new Date(offer.expiresAt) <= now ? 'expired' : offer.status
}
