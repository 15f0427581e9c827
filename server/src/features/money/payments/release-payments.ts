import { setTimeout as wait } from 'node:timers/promises'
import type { Tx } from '../../../database/database.ts'
import { type CardProvider, ProviderDown } from '../../../providers/stripe/card-provider.ts'
import type { Services } from '../../../services.ts'
import { applyBatch, setAside, type Turn } from '../set-aside/set-aside.ts'
import { applyLapse } from './apply-move.ts'
import type { DuePayment } from './queries.ts'
import * as queries from './queries.ts'
import { requireClear } from './sync-payment.ts'

/** Small batches with a pause in between, so that a user who confirms or disputes never waits long for a lock. */
export const RELEASE_BATCH = 50
const PAUSE_MS = 6
/** Concurrent requests to the provider. */
const CONCURRENT_CHECKS = 4

/**
 * Releases every payment whose hold has expired, and returns their number. Any number of processes may run it
 * at the same time. It can be aborted between two batches.
 */
export async function releaseDue(
  services: Pick<Services, 'database'> & Partial<Services>,
  signal?: AbortSignal,
): Promise<number> {
  const { cards } = services
  const checks: Checks = { clear: new Set(), failed: new Set() }
  const isClear = ({ id, stripePaymentIntentId }: DuePayment) =>
    !cards || !stripePaymentIntentId || checks.clear.has(id)
  let released = 0
  let from: Date | null = null
  while (!signal?.aborted) {
    let due: DuePayment[] = []
    const batch = {
      task: 'release' as const,
      async find(tx: Tx, turn: Turn) {
        const locked = await queries.lockDuePayments(tx, { from, turn, limit: RELEASE_BATCH })
        if (!turn.only) due = locked
        return locked.filter(isClear)
      },
      apply: applyLapse,
    }
    const { found, failed } = await applyBatch(services, batch, [...checks.failed])
    for (const id of failed) checks.failed.add(id)
    const unchecked = due.filter((payment) => !isClear(payment))
    released += found.length - failed.length
    if (cards && unchecked.length > 0) {
      if (!(await checkAll(services as Services, cards, unchecked, checks))) break
    } else {
      if (due.length < RELEASE_BATCH) break
      from = due.at(-1)?.escrowHoldUntil ?? null
    }
    await wait(PAUSE_MS)
  }
  return released
}

/** The ids of payments by the provider's answer. */
interface Checks {
  clear: Set<number>
  /** Skipped until the next sweep, so that they do not delay others. */
  failed: Set<number>
}

/**
 * Asks the provider about each charge, because a chargeback or a refund may have come before the end of the hold.
 * Returns false if the provider is down. Then nothing more is released until the next sweep.
 */
async function checkAll(
  services: Services,
  cards: CardProvider,
  due: DuePayment[],
  checks: Checks,
): Promise<boolean> {
  const waiting = [...due]
  let isDown = false
  const check = async () => {
    for (let payment = waiting.shift(); payment && !isDown; payment = waiting.shift()) {
      const { id, stripePaymentIntentId } = payment
      try {
        if (stripePaymentIntentId) await requireClear(services, cards, stripePaymentIntentId)
        checks.clear.add(id)
      } catch (error) {
        isDown ||= error instanceof ProviderDown
        checks.failed.add(id)
        if (!(error instanceof ProviderDown)) await setAside(services, 'release', id, error)
      }
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT_CHECKS }, check))
  return !isDown
}
