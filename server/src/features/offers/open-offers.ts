import type { Tx } from '../../platform/database.ts'
import { findSellersWithOpenOffers } from './queries.ts'

/** The sellers who wait for an answer on a request, or have to give one. */
export function sellersWithOpenOffers(tx: Tx, wantedItemId: number): Promise<string[]> {
  return findSellersWithOpenOffers(tx, wantedItemId, tx.now)
}
