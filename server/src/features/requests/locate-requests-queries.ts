import { eq, not } from 'drizzle-orm'
import type { Tx } from '../../platform/database.ts'
import { wantedItems } from '../../platform/schema.ts'

/** Skips requests that another transaction has locked: the next sweep finds them. */
export function lockNotLocated(tx: Tx, limit: number) {
  return tx
    .select({ id: wantedItems.id, location: wantedItems.location })
    .from(wantedItems)
    .where(not(wantedItems.isLocated))
    .orderBy(wantedItems.id)
    .limit(limit)
    .for('update', { skipLocked: true })
}

export async function setPlace(tx: Tx, id: number, place: { x: number; y: number } | null): Promise<void> {
  await tx.update(wantedItems).set({ place, isLocated: true }).where(eq(wantedItems.id, id))
}
