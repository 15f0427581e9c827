import {
  changeRefusal,
  dealRefusal,
  type ItemStatus,
  isPaid,
  itemStatusAt,
  paymentRefusal,
} from '@sought/escrow/reservation'
import { and, eq, inArray, isNotNull, ne, type SQL, sql } from 'drizzle-orm'
import { refuse } from '../../../core/errors.ts'
import type { Tx } from '../../../database/database.ts'
import { wantedItems } from '../../../database/schema.ts'

/*
 * Requests that are reserved by a payment in escrow (ADR 49). The rules are in `escrow/src/reservation.ts`. A transaction
 * that locks both locks payments before requests.
 */

/** Refuses offers, agreements and first messages on a request that is not open. */
export function requireOpen(item: { status: ItemStatus; expiresAt: Date }, now: Date): void {
  const refusal = dealRefusal(itemStatusAt(item, now))
  if (refusal) throw refuse(refusal)
}

/** Refuses payments for a request that is closed or already paid. Locks the request, so that it stays payable. */
export async function requirePayable(tx: Tx, itemId: number): Promise<void> {
  const refusal = paymentRefusal(await lockStatus(tx, itemId, 'share'))
  if (refusal) throw refuse(refusal)
}

/** Refuses to change a request that is reserved or fulfilled. */
export function requireChangeable({ status }: { status: ItemStatus }): void {
  const refusal = changeRefusal(status)
  if (refusal) throw refuse(refusal)
}

/** Whether a payment has paid for the request. Locks the request, so that concurrent payments see each other. */
export async function lockAndCheckPaid(tx: Tx, itemId: number): Promise<boolean> {
  return isPaid(await lockStatus(tx, itemId, 'update'))
}

async function lockStatus(tx: Tx, itemId: number, strength: 'share' | 'update'): Promise<ItemStatus> {
  const [item] = await tx
    .select({ status: wantedItems.status })
    .from(wantedItems)
    .where(eq(wantedItems.id, itemId))
    .for(strength)
  if (!item) throw new Error(`the request ${itemId} of a payment is missing`)
  return item.status
}

/** Sets the status of requests according to their payments. */
export async function setStatusByPayment(
  tx: Tx,
  itemIds: number[],
  status: 'open' | 'reserved' | 'fulfilled',
): Promise<void> {
  if (status === 'open') return reopenItems(tx, itemIds)
  return setStatus(tx, itemIds, status, ne(wantedItems.status, 'fulfilled'))
}

async function setStatus(
  tx: Tx,
  ids: number[],
  status: 'open' | 'reserved' | 'fulfilled',
  condition: SQL,
): Promise<void> {
  await tx
    .update(wantedItems)
    .set({ status, updatedAt: tx.now })
    .where(and(sql`${wantedItems.id} = any(${sql.param(ids)})`, condition))
}

/** A hidden request reopens when it is shown again. */
async function reopenItems(tx: Tx, ids: number[]): Promise<void> {
  const isReserved = eq(wantedItems.status, 'reserved')
  await tx
    .update(wantedItems)
    .set({ status: 'closed', wasOpen: true, updatedAt: tx.now })
    .where(and(inArray(wantedItems.id, ids), isNotNull(wantedItems.hiddenAt), isReserved))
  return setStatus(tx, ids, 'open', isReserved)
}
