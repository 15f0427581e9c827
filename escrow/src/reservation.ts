import type { MoveName } from './moves.ts'

/*
 * A request and its payments (ADR 49). Money in escrow reserves the request: nothing about it changes until the
 * payment ends, and a second payment is refunded at once.
 */

export const ITEM_STATUSES = ['open', 'reserved', 'fulfilled', 'closed'] as const

export type ItemStatus = (typeof ITEM_STATUSES)[number]

/** What each payment move makes of the request. Null: it stays as it is. */
export const itemStatusAfter = {
  hold: 'reserved',
  hand_over: 'fulfilled',
  confirm: 'fulfilled',
  lapse: 'fulfilled',
  release: 'fulfilled',
  divide: 'fulfilled',
  refund: 'open',
  reimburse: 'open',
  cancel: 'open',
  ship: null,
  deliver: null,
  return_duplicate: null,
  dispute: null,
  review: null,
  withdraw: null,
  resume: null,
} as const satisfies Record<MoveName, ItemStatus | null>

/** Whether another payment has already paid for the request. */
export const isPaid = (status: ItemStatus) => status === 'reserved' || status === 'fulfilled'

/** Why no offer can be made, agreed on or paid. Null if it can. */
export function dealRefusal(status: ItemStatus): 'item_reserved' | 'item_not_open' | null {
  if (status === 'open') return null
  return status === 'reserved' ? 'item_reserved' : 'item_not_open'
}

/** Why the owner cannot edit, close or reopen the request. Null if they can. */
export function changeRefusal(status: ItemStatus): 'item_reserved' | 'item_fulfilled' | null {
  if (status === 'reserved') return 'item_reserved'
  return status === 'fulfilled' ? 'item_fulfilled' : null
}
