import type { Tx } from '../../../database/database.ts'
import type { Services } from '../../../services.ts'
import { notify } from '../../notifications/actions.ts'
import { needsConsent } from './actions.ts'
import { privacyChanged, privacyScheduled, termsChanged, termsScheduled } from './notifications.ts'
import * as queries from './queries.ts'

const changed = { terms_of_service: termsChanged, privacy_policy: privacyChanged }
const announced = { terms_of_service: termsScheduled, privacy_policy: privacyScheduled }
const BATCH = 200

/**
 * Tells users that a policy they must accept is scheduled, and that it is in force, once each. Any number of processes
 * may run this at the same time, and it can be aborted between two batches.
 */
export async function notifyOfPolicies(
  { database }: Pick<Services, 'database'>,
  signal?: AbortSignal,
): Promise<void> {
  for (const notifyBatch of [notifyOfNextInForce, announceNextScheduled])
    while (!signal?.aborted) if (!(await database.transact(notifyBatch))) break
}

/** Returns whether there was a version to notify about. */
async function notifyOfNextInForce(tx: Tx): Promise<boolean> {
  const version = await queries.lockVersionToNotify(tx)
  if (!version) return false
  const { id, policy, notifiedUpTo } = version
  const isInForce = (await queries.findInForce(tx, policy, tx.now))?.id === id
  const people =
    isInForce && needsConsent(policy) ? await queries.findUsersToNotify(tx, version, notifiedUpTo, BATCH) : []
  await notify(
    tx,
    people.flatMap(({ id: to, hasAccepted }) =>
      hasAccepted || !needsConsent(policy) ? [] : changed[policy](to, version),
    ),
  )
  const last = people.at(-1)
  await queries.updateProgress(tx, id, {
    ...(last && { notifiedUpTo: last.id }),
    ...(people.length < BATCH && { notifiedAt: tx.now }),
  })
  return true
}

/** Returns whether there was a version to announce. Replaced versions are not announced. */
async function announceNextScheduled(tx: Tx): Promise<boolean> {
  const scheduled = await queries.lockVersionToAnnounce(tx)
  if (!scheduled) return false
  const { id, policy, version, announcedUpTo } = scheduled
  const isLatest = (await queries.findLatestVersion(tx, policy)) === version
  const people =
    isLatest && needsConsent(policy)
      ? await queries.findUsersToNotify(tx, scheduled, announcedUpTo, BATCH)
      : []
  await notify(
    tx,
    people.flatMap(({ id: to }) => (needsConsent(policy) ? announced[policy](to, scheduled) : [])),
  )
  const last = people.at(-1)
  await queries.updateProgress(tx, id, {
    ...(last && { announcedUpTo: last.id }),
    ...(people.length < BATCH && { announcedAt: tx.now }),
  })
  return true
}
