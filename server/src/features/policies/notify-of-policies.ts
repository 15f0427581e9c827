import type { Tx } from '../../platform/database.ts'
import type { Services } from '../../platform/services.ts'
import { notify } from '../notifications/actions.ts'
import { policyChangedNotification } from '../notifications/build-notifications.ts'
import { needsConsent } from './actions.ts'
import { findInForce, findUsersToNotify, lockVersionToNotify, updateProgress } from './queries.ts'

const BATCH = 200

/**
 * Tells users once that a policy they must accept is in force. Any number of processes may run this at the same time,
 * and it can be aborted between two batches.
 */
export async function notifyOfPolicies(
  { database }: Pick<Services, 'database'>,
  signal?: AbortSignal,
): Promise<void> {
  while (!signal?.aborted) if (!(await database.transact(notifyBatch))) return
}

/** Returns whether there was a version to notify about. */
async function notifyBatch(tx: Tx): Promise<boolean> {
  const version = await lockVersionToNotify(tx)
  if (!version) return false
  const { id, policy } = version
  const isInForce = (await findInForce(tx, policy, tx.now))?.id === id
  const people = isInForce && needsConsent(policy) ? await findUsersToNotify(tx, version, BATCH) : []
  await notify(
    tx,
    people.flatMap(({ id: to, hasAccepted }) =>
      hasAccepted || !needsConsent(policy) ? [] : [policyChangedNotification(policy, version.version, to)],
    ),
  )
  const last = people.at(-1)
  await updateProgress(tx, id, {
    ...(last && { notifiedUpTo: last.id }),
    ...(people.length < BATCH && { notifiedAt: tx.now }),
  })
  return true
}
