import { not } from 'drizzle-orm'
import type { Tx } from '../../../database/database.ts'
import { updateRows } from '../../../database/rows.ts'
import { wantedItems } from '../../../database/schema.ts'
import type { Services } from '../../../services.ts'
import type { Located } from '../places/actions.ts'
import { locateText } from '../places/actions.ts'
import { loadGazetteer } from '../places/gazetteer.ts'

const BATCH = 200

/**
 * Locates requests that were posted before the gazetteer was loaded (ADR 61). Can be aborted between two batches.
 */
export async function locateRequests({ database }: Pick<Services, 'database'>, signal?: AbortSignal) {
  // Loaded here, because no transaction may wait for it.
  await loadGazetteer()
  while (!signal?.aborted) {
    const located = await database.transact(async (tx) => {
      const items = await lockNotLocated(tx, BATCH)
      for (const { id, location } of items) await setPlace(tx, id, await locateText(location))
      return items.length
    })
    if (located < BATCH) return
  }
}

/** Skips requests locked by another transaction: the next sweep finds them. */
function lockNotLocated(tx: Tx, limit: number) {
  return tx
    .select({ id: wantedItems.id, location: wantedItems.location })
    .from(wantedItems)
    .where(not(wantedItems.isLocated))
    .orderBy(wantedItems.id)
    .limit(limit)
    .for('update', { skipLocked: true })
}

async function setPlace(tx: Tx, id: number, located: Omit<Located, 'isLocated'>): Promise<void> {
  await updateRows(tx, wantedItems, { id }, { ...located, isLocated: true })
}
