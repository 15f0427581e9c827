import { and, eq, isNotNull, isNull, not, or } from 'drizzle-orm'
import type { Tx } from '../../../database/database.ts'
import { wantedItems } from '../../../database/schema.ts'
import type { Located } from '../places/actions.ts'

/**
 * Includes requests that were located before countries were stored. Skips requests locked by another transaction:
 * the next sweep finds them.
 */
export function lockNotLocated(tx: Tx, limit: number) {
  return tx
    .select({ id: wantedItems.id, location: wantedItems.location })
    .from(wantedItems)
    .where(or(not(wantedItems.isLocated), and(isNotNull(wantedItems.place), isNull(wantedItems.country))))
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
