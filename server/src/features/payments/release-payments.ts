import { setTimeout as wait } from 'node:timers/promises'
import type { Tx } from '../../platform/database.ts'
import type { Services } from '../../platform/services.ts'
import { applyLapse } from './apply-move.ts'
import { type DuePayment, lockDuePayments } from './queries.ts'

/** Small batches with a pause in between, so that a user who confirms or disputes never waits long for a lock. */
export const RELEASE_BATCH = 50
const PAUSE_MS = 6

/**
 * Releases every payment whose hold has expired and returns how many. Any number of processes may run it at the
 * same time. It can be aborted between two batches.
 */
export async function releaseDue(
  { database }: Pick<Services, 'database'>,
  signal?: AbortSignal,
): Promise<number> {
  let released = 0
  let from: Date | null = null
  while (!signal?.aborted) {
    const batch: DuePayment[] = await database.transact((tx) => releaseBatch(tx, from))
    released += batch.length
    if (batch.length < RELEASE_BATCH) break
    from = batch.at(-1)?.escrowHoldUntil ?? null
    await wait(PAUSE_MS)
  }
  return released
}

async function releaseBatch(tx: Tx, from: Date | null): Promise<DuePayment[]> {
  const due = await lockDuePayments(tx, RELEASE_BATCH, from)
  if (due.length > 0) await applyLapse(tx, due)
  return due
}
