import { and, eq, gt } from 'drizzle-orm'
import type { Tx } from '../../../database/database.ts'
import { offers } from '../../../database/schema.ts'

/** The sellers with an open offer or counter-offer on a request. */
export async function sellersWithOpenOffers(tx: Tx, wantedItemId: number): Promise<string[]> {
  const found = await tx
    .selectDistinct({ sellerId: offers.sellerId })
    .from(offers)
    .where(
      and(eq(offers.wantedItemId, wantedItemId), eq(offers.status, 'pending'), gt(offers.expiresAt, tx.now)),
    )
  return found.map(({ sellerId }) => sellerId)
}
