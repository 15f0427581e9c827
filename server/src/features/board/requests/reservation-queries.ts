import { and, eq, inArray, isNotNull, ne, notExists, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../../../database/database.ts'
import { payments, wantedItems } from '../../../database/schema.ts'

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

export const reserveItems = (tx: Tx, ids: number[]): Promise<void> =>
  setStatus(tx, ids, 'reserved', ne(wantedItems.status, 'fulfilled'))

export const fulfilItems = (tx: Tx, ids: number[]): Promise<void> =>
  setStatus(tx, ids, 'fulfilled', ne(wantedItems.status, 'fulfilled'))

/**
 * Databases older than reservations may have another payment in escrow for the same request. A hidden request
 * reopens when it is shown again.
 */
export async function reopenItems(tx: Tx, ids: number[]): Promise<void> {
  const inEscrow = tx
    .select({ id: payments.id })
    .from(payments)
    .where(
      and(
        eq(payments.wantedItemId, wantedItems.id),
        inArray(payments.status, ['held_in_escrow', 'disputed', 'under_review']),
      ),
    )
  const isFree = sql`${eq(wantedItems.status, 'reserved')} and ${notExists(inEscrow)}`
  await tx
    .update(wantedItems)
    .set({ status: 'closed', wasOpen: true, updatedAt: tx.now })
    .where(and(inArray(wantedItems.id, ids), isNotNull(wantedItems.hiddenAt), isFree))
  return setStatus(tx, ids, 'open', isFree)
}
