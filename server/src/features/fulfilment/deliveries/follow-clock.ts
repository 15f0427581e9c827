import type { Tx } from '../../../database/database.ts'
import type { Services } from '../../../services.ts'
import { applyMove } from '../../money/payments/apply-move.ts'
import type { Payment } from '../../money/payments/stored-payment.ts'
import { applyBatch, applyToAll, type Turn } from '../../money/set-aside/set-aside.ts'
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

type Due = Awaited<ReturnType<typeof queries.findToRemind>>[number]
type Needed = Pick<Services, 'database'> & Partial<Pick<Services, 'log'>>

/** Cancels deals that are still not shipped a week after the ship-by date. */
export function cancelUnshipped(services: Needed, signal?: AbortSignal): Promise<void> {
  const batch = {
    task: 'cancel' as const,
    size: CANCEL_BATCH,
    find: (tx: Tx, turn: Turn) => queries.lockUnshipped(tx, turn, CANCEL_BATCH),
    async apply(tx: Tx, due: Payment[]) {
      // In an order that other processes share, because each cancellation locks its seller's.
      for (const payment of due.toSorted((a, b) => a.sellerId.localeCompare(b.sellerId))) {
        const reason = 'The seller did not ship in time'
        await applyMove(tx, payment, { name: 'cancel', actor: 'clock', reason })
      }
    },
  }
  return applyToAll(services, batch, signal)
}

/** Reminds sellers halfway and on the ship-by date. The notification's unique key ensures that each is sent once. */
export async function remindSellers(services: Needed, signal?: AbortSignal): Promise<void> {
  for (const reminder of [shipDue, shipSoon]) {
    let after = 0
    while (!signal?.aborted) {
      const page = { after, limit: REMIND_BATCH }
      const batch = {
        task: 'reminder' as const,
        find: (tx: Tx, turn: Turn) => queries.findToRemind(tx, reminder.event, turn, page),
        apply: (tx: Tx, due: Due[]) =>
          notify(
            tx,
            due.flatMap((payment) => reminder(payment)),
          ),
      }
      const { found } = await applyBatch(services, batch, [])
      after = found.at(-1)?.id ?? after
      if (found.length < REMIND_BATCH) break
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
