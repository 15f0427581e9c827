import { setTimeout as wait } from 'node:timers/promises'
import type { Tx } from '../../platform/database.ts'
import type { Services } from '../../platform/services.ts'
import { type CardProvider, ProviderFailed } from '../../providers/stripe/card-provider.ts'
import { applyLapse } from './apply-move.ts'
import { type DuePayment, lockDuePayments } from './queries.ts'
import { syncIfChanged } from './sync-charge.ts'

/** Small batches with a pause in between, so that a user who confirms or disputes never waits long for a lock. */
export const RELEASE_BATCH = 50
const PAUSE_MS = 6

/**
 * Releases every payment whose hold has expired and returns how many. Any number of processes may run it at the
 * same time. It can be aborted between two batches.
 */
export async function releaseDue(
  services: Pick<Services, 'database'> & Partial<Services>,
  signal?: AbortSignal,
): Promise<number> {
  const { database, cards } = services
  const cleared = new Set<number>()
  const isClear = ({ id, stripePaymentIntentId }: DuePayment) =>
    !cards || !stripePaymentIntentId || cleared.has(id)
  let released = 0
  let from: Date | null = null
  while (!signal?.aborted) {
    const due: DuePayment[] = await database.transact((tx) => releaseBatch(tx, from, isClear))
    const unchecked = due.filter((payment) => !isClear(payment))
    released += due.length - unchecked.length
    if (cards && unchecked.length > 0) {
      if (!(await clear(services as Services, cards, unchecked, cleared))) break
    } else {
      if (due.length < RELEASE_BATCH) break
      from = due.at(-1)?.escrowHoldUntil ?? null
    }
    await wait(PAUSE_MS)
  }
  return released
}

/** Releases those due payments that are clear, and returns all that are due. */
async function releaseBatch(
  tx: Tx,
  from: Date | null,
  isClear: (payment: DuePayment) => boolean,
): Promise<DuePayment[]> {
  const due = await lockDuePayments(tx, RELEASE_BATCH, from)
  const clear = due.filter(isClear)
  if (clear.length > 0) await applyLapse(tx, clear)
  return due
}

/**
 * Asks the provider about each charge: a chargeback or a refund may have come before the end of the hold. Returns
 * false if it does not answer. Then nothing more is released until the next sweep.
 */
async function clear(
  services: Services,
  cards: CardProvider,
  due: DuePayment[],
  cleared: Set<number>,
): Promise<boolean> {
  try {
    for (const { id, stripePaymentIntentId } of due) {
      if (stripePaymentIntentId) await syncIfChanged(services, cards, stripePaymentIntentId)
      cleared.add(id)
    }
    return true
  } catch (error) {
    if (!(error instanceof ProviderFailed)) throw error
    services.log.warn({ err: error }, 'could not ask the provider before a release, will retry')
    return false
  }
}
