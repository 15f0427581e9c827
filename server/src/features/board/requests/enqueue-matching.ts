import type { Tx } from '../../../database/database.ts'
import { enqueueAll } from '../../../runtime/jobs.ts'

/** Alerts people whose saved searches match the request and did not match it before (ADR 64). */
export async function enqueueMatching(tx: Tx, itemId: number, before?: object): Promise<void> {
  const payload = { itemId, at: tx.now.toISOString(), ...(before && { before }) }
  await enqueueAll(tx, 'match-searches', [{ payload }])
}
