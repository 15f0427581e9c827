import type { Offer } from '@sought/contract/offers'

export type OfferState = Offer['status'] | 'expired'
/** What an offer that came to nothing came to. */
export type PastState = Exclude<OfferState, 'pending' | 'accepted'>

/** An offer that nobody answered in time has expired, though nothing was written down when it did (ADR 21). */
export function stateOf(offer: Offer, now: Date): OfferState {
  return offer.status === 'pending' && new Date(offer.expiresAt) <= now ? 'expired' : offer.status
}

/** Those that wait for an answer or were agreed on, and those that are over, each the latest first. */
export function sortOffers(offers: readonly Offer[], now: Date) {
  const standing: Offer[] = []
  const past: { offer: Offer; state: PastState }[] = []
  for (const offer of offers) {
    const state = stateOf(offer, now)
    if (state === 'pending' || state === 'accepted') standing.push(offer)
    else past.push({ offer, state })
  }
  return { standing, past }
}
