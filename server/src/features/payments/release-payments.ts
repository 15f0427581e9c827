import { setTimeout as wait } from 'node:timers/promises'
import { calculateFees } from '@sought/escrow/fees'
import { nextState } from '@sought/escrow/moves'
import { releasePosting } from '@sought/escrow/postings'
import type { Tx } from '../../platform/database.ts'
import { announce } from '../../platform/events.ts'
import type { Services } from '../../platform/services.ts'
import { post } from '../ledger/post.ts'
import { notify } from '../notifications/actions.ts'
import { holdExpiredNotifications } from '../notifications/build-notifications.ts'
import { owe } from '../payouts/send-payouts.ts'
import { completeAll, fulfilItems, lockDue, type Releasable } from './queries.ts'

/** So small, with a breath between two, that neither a page nor whoever confirms or disputes waits long for one. */
export const RELEASE_BATCH = 50
const BREATH_MS = 6

/** Gives the seller what is theirs: the ledger is credited, the payout owed, the request fulfilled. */
export async function release(tx: Tx, completed: Releasable[]): Promise<void> {
  await post(tx, ...completed.map(releasePosting))
  await fulfilItems(tx, [...new Set(completed.map(({ wantedItemId }) => wantedItemId))])
  await owe(
    tx,
    completed.map((payment) => ({ payment, payoutCents: calculateFees(payment.amount).payoutCents })),
  )
}

/**
 * Releases every payment whose hold has run out. Any number of processes may do so at once. However many
 * there are, it can be stopped between two batches.
 */
export async function releaseDue(
  { database }: Pick<Services, 'database'>,
  signal?: AbortSignal,
): Promise<number> {
  let released = 0
  let from: Date | null = null
  while (!signal?.aborted) {
    const batch: Releasable[] = await database.transact((tx) => releaseBatch(tx, from))
    released += batch.length
    if (batch.length < RELEASE_BATCH) break
    from = batch.at(-1)?.escrowHoldUntil ?? null
    await wait(BREATH_MS)
  }
  return released
}

async function releaseBatch(tx: Tx, from: Date | null): Promise<Releasable[]> {
  const due = await lockDue(tx, RELEASE_BATCH, from)
  if (due.length === 0) return []
  const completed = due.map((payment) => nextState(payment, 'lapse', 'clock', tx.now))
  await completeAll(
    tx,
    completed.map(({ id }) => id),
  )
  await release(tx, completed)
  const people = completed.flatMap(({ buyerId, sellerId }) => [buyerId, sellerId])
  await announce(tx, [...new Set(people)], { about: 'payments' })
  await notify(
    tx,
    completed.flatMap((payment) =>
      holdExpiredNotifications(payment, calculateFees(payment.amount).payoutCents),
    ),
  )
  return completed
}
