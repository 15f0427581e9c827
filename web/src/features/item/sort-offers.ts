import type { ReceivedOffer } from '@sought/contract/offers'

export const offerOrders = [
  { value: 'price', label: 'Lowest price' },
  { value: 'rating', label: 'Best rating' },
  { value: 'deals', label: 'Most completed deals' },
  { value: 'expiry', label: 'Ending soonest' },
] as const

export type OfferOrder = (typeof offerOrders)[number]['value']

const comparisons: Record<OfferOrder, (one: ReceivedOffer, other: ReceivedOffer) => number> = {
  price: (one, other) => one.amount - other.amount,
  rating: (one, other) => other.seller.rating - one.seller.rating,
  deals: (one, other) => other.seller.completedDeals - one.seller.completedDeals,
  expiry: (one, other) => Date.parse(one.expiresAt) - Date.parse(other.expiresAt),
}

/** An accepted offer comes first in every order. Equal offers are sorted by price. */
export function sortOffers(offers: readonly ReceivedOffer[], order: OfferOrder): ReceivedOffer[] {
  const isAccepted = ({ status }: ReceivedOffer) => Number(status === 'accepted')
  return offers.toSorted(
    (one, other) =>
      isAccepted(other) - isAccepted(one) || comparisons[order](one, other) || comparisons.price(one, other),
  )
}
