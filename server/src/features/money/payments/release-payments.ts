import { setTimeout as wait } from 'node:timers/promises'
import type { Tx } from '../../../database/database.ts'
import { type CardProvider, ProviderFailed } from '../../../providers/stripe/card-provider.ts'
import type { Services } from '../../../services.ts'
import { applyLapse } from './apply-move.ts'
import type { DuePayment } from './queries.ts'
import * as queries from './queries.ts'
import { syncIfChanged } from './sync-payment.ts'

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
  const { database, cards } = services
  const checks: Checks = { clear: new Set(), failed: new Set() }
  const isClear = ({ id, stripePaymentIntentId }: DuePayment) =>
    !cards || !stripePaymentIntentId || checks.clear.has(id)
  let released = 0
  let from: Date | null = null
  while (!signal?.aborted) {
    const due: DuePayment[] = await database.transact((tx) =>
      releaseBatch(tx, { from, except: [...checks.failed] }, isClear),
    )
    const unchecked = due.filter((payment) => !isClear(payment))
    released += due.length - unchecked.length
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

/** Releases the due payments that are clear. Returns all due payments. */
async function releaseBatch(
  tx: Tx,
  page: { from: Date | null; except: number[] },
  isClear: (payment: DuePayment) => boolean,
): Promise<DuePayment[]> {
  const due = await queries.lockDuePayments(tx, { ...page, limit: RELEASE_BATCH })
  const clear = due.filter(isClear)
  if (clear.length > 0) await applyLapse(tx, clear)
  return due
}

/** The ids of payments by the provider's answer. */
interface Checks {
  clear: Set<number>
  /** Skipped until the next sweep, so that they do not delay others. */
  failed: Set<number>
}

/**
 * Asks the provider about each charge, because a chargeback or a refund may have come before the end of the
 * hold. Returns false if the provider answers none of the questions. Then nothing more is released until the
 * next sweep.
 */
async function checkAll(
  services: Services,
  cards: CardProvider,
  due: DuePayment[],
  checks: Checks,
): Promise<boolean> {
  const waiting = [...due]
  let isAnswering = false
  const check = async () => {
    for (let payment = waiting.shift(); payment; payment = waiting.shift()) {
      const { id, stripePaymentIntentId } = payment
      try {
        if (stripePaymentIntentId) await syncIfChanged(services, cards, stripePaymentIntentId)
        checks.clear.add(id)
        isAnswering = true
      } catch (error) {
        checks.failed.add(id)
        if (!isUnanswered(error)) isAnswering = true
        services.log.error({ err: error, paymentId: id }, 'could not check a payment that is due, will retry')
      }
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT_CHECKS }, check))
  return isAnswering
}

const isUnanswered = (error: unknown) => error instanceof ProviderFailed && error.outcome !== 'refused'
