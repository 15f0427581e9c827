/*
 * A request and its payments (ADR 49). Money in escrow reserves the request: it cannot change until the payment
 * ends, and a second payment is refunded immediately.
 */

export const ITEM_STATUSES = ['open', 'expired', 'reserved', 'fulfilled', 'closed'] as const

export type ItemStatus = (typeof ITEM_STATUSES)[number]

/** An open request expires by time, even before the sweep has recorded it (ADR 65). */
export function itemStatusAt(item: { status: ItemStatus; expiresAt: Date }, now: Date): ItemStatus {
  return item.status === 'open' && item.expiresAt <= now ? 'expired' : item.status
}

/** Whether another payment has already paid for the request. */
export const isPaid = (status: ItemStatus) => status === 'reserved' || status === 'fulfilled'

/** Why no offer can be made or accepted. Null if it can. */
export function dealRefusal(status: ItemStatus): 'item_expired' | 'item_reserved' | 'item_not_open' | null {
  switch (status) {
    case 'open':
      return null
    case 'expired':
      return 'item_expired'
    case 'reserved':
      return 'item_reserved'
    case 'fulfilled':
    case 'closed':
      return 'item_not_open'
  }
}

/** Why an accepted offer cannot be paid. Null if it can. A deal continues after its request has expired. */
export function paymentRefusal(status: ItemStatus): 'item_reserved' | 'item_not_open' | null {
  const refusal = dealRefusal(status)
  return refusal === 'item_expired' ? null : refusal
}

/** Why the owner cannot edit, close or reopen the request. Null if they can. */
export function changeRefusal(status: ItemStatus): 'item_reserved' | 'item_fulfilled' | null {
  if (status === 'reserved') return 'item_reserved'
  return status === 'fulfilled' ? 'item_fulfilled' : null
}
