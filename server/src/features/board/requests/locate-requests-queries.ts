import { eq, not } from 'drizzle-orm'
import type { Tx } from '../../../database/database.ts'
import { wantedItems } from '../../../database/schema.ts'
import type { Located } from '../places/actions.ts'

/** Skips requests locked by another transaction: the next sweep finds them. */
export function lockNotLocated(tx: Tx, limit: number) {
  return tx
    .select({ id: wantedItems.id, location: wantedItems.location })
    .from(wantedItems)
    .where(not(wantedItems.isLocated))
    .orderBy(wantedItems.id)
    .limit(limit)
    .for('update', { skipLocked: true })
}

export async function setPlace(tx: Tx, id: number, located: Omit<Located, 'isLocated'>): Promise<void> {
  await tx
    .update(wantedItems)
    .set({ ...located, isLocated: true })
    .where(eq(wantedItems.id, id))
}
