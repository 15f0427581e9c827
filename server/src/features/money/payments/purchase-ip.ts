import { PURCHASE_IP_KEPT_DAYS } from '@sought/contract/constants'
import { and, inArray, isNotNull, lte, notInArray, sql } from 'drizzle-orm'
import type { Tx } from '../../../database/database.ts'
import { payments } from '../../../database/schema.ts'
import type { Services } from '../../../services.ts'

const DAY_MS = 86_400_000
const ERASE_BATCH = 1_000

/** Erases the IP addresses of deals that ended long ago, and of abandoned checkouts. */
export async function erasePurchaseIps(
  { database }: Pick<Services, 'database'>,
  signal?: AbortSignal,
): Promise<void> {
  while (!signal?.aborted) {
    const erased = await database.transact(eraseExpired)
    if (erased < ERASE_BATCH) return
  }
}

async function eraseExpired(tx: Tx): Promise<number> {
  const before = new Date(tx.now.getTime() - PURCHASE_IP_KEPT_DAYS * DAY_MS)
  const expired = tx
    .select({ id: payments.id })
    .from(payments)
    .where(
      and(
        isNotNull(payments.purchaseIp),
        notInArray(payments.status, ['held_in_escrow', 'disputed', 'under_review']),
        lte(
          sql`coalesce(${payments.endedAt}, ${payments.updatedAt})`,
          sql`${before.toISOString()}::timestamptz`,
        ),
      ),
    )
    .limit(ERASE_BATCH)
  const { rowCount } = await tx
    .update(payments)
    .set({ purchaseIp: null })
    .where(inArray(payments.id, expired))
  return rowCount ?? 0
}
