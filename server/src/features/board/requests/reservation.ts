import {
  changeRefusal,
  dealRefusal,
  type ItemStatus,
  isPaid,
  itemStatusAt,
  paymentRefusal,
} from '@sought/escrow/reservation'
import { refuse } from '../../../core/errors.ts'
import type { Tx } from '../../../database/database.ts'
import { lockItem } from './queries.ts'
import { fulfilItems, reopenItems, reserveItems } from './reservation-queries.ts'

/*
 * Requests that are reserved by a payment in escrow (ADR 49). The rules are in `escrow/src/reservation.ts`. A transaction
 * that locks both locks payments before requests.
 */

/** Refuses offers, agreements and first messages on a request that is not open. */
export function requireOpen(item: { status: ItemStatus; expiresAt: Date }, now: Date): void {
  const refusal = dealRefusal(itemStatusAt(item, now))
  if (refusal) throw refuse(refusal)
}

/** Refuses payments for a request that is closed or already paid. */
export function requirePayable({ status }: { status: ItemStatus }): void {
  const refusal = paymentRefusal(status)
  if (refusal) throw refuse(refusal)
}

/** Refuses to change a request that is reserved or fulfilled. */
export function requireChangeable({ status }: { status: ItemStatus }): void {
  const refusal = changeRefusal(status)
  if (refusal) throw refuse(refusal)
}

/** Whether a payment has paid for the request. Locks it, so that concurrent payments see each other. */
export async function lockAndCheckPaid(tx: Tx, itemId: number): Promise<boolean> {
  const item = await lockItem(tx, itemId)
  if (!item) throw new Error(`the request ${itemId} of a payment is missing`)
  return isPaid(item.status)
}

/** Sets the status of requests according to their payments. */
export async function setStatusByPayment(
  tx: Tx,
  itemIds: number[],
  status: Exclude<ItemStatus, 'closed' | 'expired'>,
): Promise<void> {
  switch (status) {
    case 'reserved':
      return reserveItems(tx, itemIds)
    case 'fulfilled':
      return fulfilItems(tx, itemIds)
    case 'open':
      return reopenItems(tx, itemIds)
  }
}
