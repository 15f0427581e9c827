import type { Offer } from '@sought/contract/offers'

/** What is to be paid. The offer is named on the escrow checkout; the short way finds it by item and amount. */
export interface Order {
  itemId: number
  amount: number
  offerId?: number
}

/** Whether this is the offer that is being paid. */
export function isOrdered(
  order: Order,
  offer: Pick<Offer, 'id' | 'wantedItemId' | 'amount' | 'status'>,
): boolean {
  if (order.offerId !== undefined) return offer.id === order.offerId
  return offer.wantedItemId === order.itemId && offer.amount === order.amount && offer.status === 'accepted'
}

/** Whether this is the payment of what was ordered. */
export function isPaymentOf(order: Order, payment: { offerId: number; amount: number }): boolean {
  return order.offerId === undefined ? payment.amount === order.amount : payment.offerId === order.offerId
}
