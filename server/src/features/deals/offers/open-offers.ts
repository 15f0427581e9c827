import type { Tx } from '../../../database/database.ts'
import { findSellersWithOpenOffers } from './queries.ts'

/** The sellers with an open offer or counter-offer on a request. */
export function sellersWithOpenOffers(tx: Tx, wantedItemId: number): Promise<string[]> {
  return findSellersWithOpenOffers(tx, wantedItemId, tx.now)
}
