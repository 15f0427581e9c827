import { EXPIRY_NOTICE_DAYS } from '@sought/contract/constants'
import { and, gt, inArray, isNull, lte, type SQL } from 'drizzle-orm'
import type { Tx } from '../../../database/database.ts'
import { wantedItems } from '../../../database/schema.ts'
import type { Services } from '../../../services.ts'
import { notify } from '../../notifications/actions.ts'
import { requestExpiring } from './notifications.ts'
import { isOpen } from './search/item-filter.ts'

/*
 * Clock-driven changes to open requests (ADR 65). Any number of processes may run these sweeps at the same
 * time, and each can be aborted between two batches.
 */

const BATCH = 200

type Needed = Pick<Services, 'database'>

/** Asks owners, once per period, whether to renew requests that end within a week. */
export async function notifyRequestsExpiring({ database }: Needed, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const expiring = await database.transact(async (tx) => {
      const claimed = await claimExpiring(tx, BATCH)
      await notify(
        tx,
        claimed.flatMap((item) => requestExpiring(item)),
      )
      return claimed
    })
    if (expiring.length < BATCH) return
  }
}

/**
 * Marks requests as expired, which removes them from the indexes of open requests. Reads do not depend on it,
 * because they compare the time of the expiry themselves.
 */
export async function expireRequests({ database }: Needed, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const expired = await database.transact((tx) => expireItems(tx, BATCH))
    if (expired < BATCH) return
  }
}

const NOTICE_MS = EXPIRY_NOTICE_DAYS * 86_400_000

/** Skips requests that another transaction has locked. The next sweep finds them. */
function lockDue(tx: Tx, isDue: SQL | undefined, limit: number) {
  return tx
    .select({ id: wantedItems.id })
    .from(wantedItems)
    .where(and(isOpen, isDue))
    .orderBy(wantedItems.expiresAt)
    .limit(limit)
    .for('update', { skipLocked: true })
}

/** Marks requests as announced to their owners, and returns them. */
export function claimExpiring(tx: Tx, limit: number) {
  const { expiresAt, expiryNoticeAt } = wantedItems
  const isDue = and(
    isNull(expiryNoticeAt),
    gt(expiresAt, tx.now),
    lte(expiresAt, new Date(tx.now.getTime() + NOTICE_MS)),
  )
  return tx
    .update(wantedItems)
    .set({ expiryNoticeAt: tx.now })
    .where(inArray(wantedItems.id, lockDue(tx, isDue, limit)))
    .returning({ id: wantedItems.id, userId: wantedItems.userId, expiresAt })
}

async function expireItems(tx: Tx, limit: number): Promise<number> {
  const expired = await tx
    .update(wantedItems)
    .set({ status: 'expired' })
    .where(inArray(wantedItems.id, lockDue(tx, lte(wantedItems.expiresAt, tx.now), limit)))
    .returning({ id: wantedItems.id })
  return expired.length
}
