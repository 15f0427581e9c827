import type { Offer } from '@sought/contract/offers'

export type OfferState = Offer['status'] | 'expired'
export type PastState = Exclude<OfferState, 'pending' | 'accepted'>

/** The database has no expired status: a pending offer expires by its date alone (ADR 21). */
export function getOfferState(offer: Offer, now: Date): OfferState {
  return offer.status === 'pending' && new Date(offer.expiresAt) <= now ? 'expired' : offer.status
}

/** Splits offers into active ones, pending or accepted, and past ones. Keeps their order. */
export function groupOffers(offers: readonly Offer[], now: Date) {
  const active: Offer[] = []
  const past: { offer: Offer; state: PastState }[] = []
  for (const offer of offers) {
    const state = getOfferState(offer, now)
    if (state === 'pending' || state === 'accepted') active.push(offer)
    else past.push({ offer, state })
  }
  return { active, past }
}
