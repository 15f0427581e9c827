import type { Offer } from '@sought/contract/offers'

export type OfferState = Offer['status'] | 'replaced' | 'expired'
export type PastState = Exclude<OfferState, 'pending' | 'accepted'>

/**
 * The server has no such statuses: a pending offer expires by its date, and a replaced one is withdrawn (ADR 21).
 */
export function getOfferState(offer: Offer, now: Date): OfferState {
  if (offer.replacedBy !== null) return 'replaced'
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
