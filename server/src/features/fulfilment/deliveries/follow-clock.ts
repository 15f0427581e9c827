import type { Services } from '../../../services.ts'
import { applyMove } from '../../money/payments/apply-move.ts'
import { notify } from '../../notifications/actions.ts'
import { shipDue, shipSoon } from './notifications.ts'
import * as queries from './queries.ts'

/*
 * Clock-driven changes to deals that are shipped. Any number of processes may run these sweeps at the same
 * time, and each can be aborted between two batches.
 */

const CANCEL_BATCH = 20
const REMIND_BATCH = 200
const ERASE_BATCH = 500

type Needed = Pick<Services, 'database'>

/** Cancels deals that are still not shipped a week after the ship-by date. */
export async function cancelUnshipped({ database }: Needed, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const due = await database.transact(async (tx) => {
      const locked = await queries.lockUnshipped(tx, CANCEL_BATCH)
      // In an order that other processes share, because each cancellation locks its seller's.
      for (const payment of locked.toSorted((a, b) => a.sellerId.localeCompare(b.sellerId))) {
        const reason = 'The seller did not ship in time'
        await applyMove(tx, payment, { name: 'cancel', actor: 'clock', reason })
      }
      return locked
    })
    if (due.length < CANCEL_BATCH) return
  }
}

/** Reminds sellers halfway and on the ship-by date. The notification's unique key ensures that each is sent once. */
export async function remindSellers({ database }: Needed, signal?: AbortSignal): Promise<void> {
  for (const reminder of [shipDue, shipSoon]) {
    let after = 0
    while (!signal?.aborted) {
      const page = await database.transact(async (tx) => {
        const found = await queries.findToRemind(tx, reminder.event, { after, limit: REMIND_BATCH })
        await notify(
          tx,
          found.flatMap((payment) => reminder(payment)),
        )
        return found
      })
      after = page.at(-1)?.id ?? after
      if (page.length < REMIND_BATCH) break
    }
  }
}

/** Erases delivery addresses that are no longer needed (ADR 60). */
export async function eraseAddresses({ database }: Needed, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const erased = await database.transact((tx) => queries.eraseExpiredAddresses(tx, ERASE_BATCH))
    if (erased < ERASE_BATCH) return
  }
}
