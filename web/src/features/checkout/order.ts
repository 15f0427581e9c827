import type { Offer } from '@sought/contract/offers'

/**
 * The item, amount and offer of the checkout. Only the escrow checkout knows the offer. The other one finds it by
 * item and amount.
 */
export interface Order {
  itemId: number
  amount: number
  offerId?: number
}

export function isOfferFor(
  order: Order,
  offer: Pick<Offer, 'id' | 'wantedItemId' | 'amount' | 'status'>,
): boolean {
  if (order.offerId !== undefined) return offer.id === order.offerId
  return offer.wantedItemId === order.itemId && offer.amount === order.amount && offer.status === 'accepted'
}

export function isPaymentFor(order: Order, payment: { offerId: number; amount: number }): boolean {
  return order.offerId === undefined ? payment.amount === order.amount : payment.offerId === order.offerId
}
