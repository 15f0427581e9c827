import { and, eq, inArray, isNotNull, ne, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../../../database/database.ts'
import { wantedItems } from '../../../database/schema.ts'

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

/** A hidden request reopens when it is shown again. */
export async function reopenItems(tx: Tx, ids: number[]): Promise<void> {
  const isReserved = eq(wantedItems.status, 'reserved')
  await tx
    .update(wantedItems)
    .set({ status: 'closed', wasOpen: true, updatedAt: tx.now })
    .where(and(inArray(wantedItems.id, ids), isNotNull(wantedItems.hiddenAt), isReserved))
  return setStatus(tx, ids, 'open', isReserved)
}
