import type { Services } from '../../../services.ts'
import { locateText } from '../places/actions.ts'
import { loadGazetteer } from '../places/gazetteer.ts'
import { lockNotLocated, setPlace } from './locate-requests-queries.ts'

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
