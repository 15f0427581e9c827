import { and, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import type { Tx } from '../../../database/database.ts'
import { wantedItems } from '../../../database/schema.ts'

/** Locks by ascending id, like all code that locks requests. */
export function lockItemsOf(tx: Tx, userId: string) {
  return tx
    .select({ id: wantedItems.id })
    .from(wantedItems)
    .where(eq(wantedItems.userId, userId))
    .orderBy(wantedItems.id)
    .for('update')
}

/**
 * Fulfilled requests keep their status. Reserved ones are skipped: an account with one has open money and is
 * not deleted.
 */
export async function closeItems(tx: Tx, userId: string): Promise<void> {
  await tx
    .update(wantedItems)
    .set({
      status: sql`case when ${wantedItems.status} in ('open', 'expired') then 'closed' else ${wantedItems.status} end`,
      images: [],
      updatedAt: tx.now,
    })
    .where(and(eq(wantedItems.userId, userId), ne(wantedItems.status, 'reserved')))
}

export async function findOpenItemsOf(tx: Tx, userId: string) {
  return tx
    .select({ id: wantedItems.id })
    .from(wantedItems)
    .where(and(eq(wantedItems.userId, userId), eq(wantedItems.status, 'open')))
}

export async function closeOpenItems(tx: Tx, userId: string): Promise<number[]> {
  const closed = await tx
    .update(wantedItems)
    .set({ status: 'closed', updatedAt: tx.now })
    .where(and(eq(wantedItems.userId, userId), eq(wantedItems.status, 'open')))
    .returning({ id: wantedItems.id })
  return closed.map(({ id }) => id)
}

export async function reopenItems(tx: Tx, ids: number[]): Promise<void> {
  await tx
    .update(wantedItems)
    .set({ status: 'open', updatedAt: tx.now })
    .where(and(inArray(wantedItems.id, ids), eq(wantedItems.status, 'closed'), isNull(wantedItems.hiddenAt)))
}
