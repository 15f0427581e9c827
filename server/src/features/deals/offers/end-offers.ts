import type { Tx } from '../../../database/database.ts'
import { announce } from '../../../http/events.ts'
import { endOffers, findUnpaidOffersOf, lockUnpaidOffersOf } from './end-offers-queries.ts'

/**
 * Ends all unpaid offers of a user who deletes their account. For a suspended user, ends only pending offers,
 * since agreed deals continue. Offers that the user made and accepted offers are withdrawn. Offers that wait
 * for the user's answer are rejected.
 */
export async function endOffersOf(
  tx: Tx,
  userId: string,
  statuses: UnpaidStatus[] = ['pending', 'accepted'],
): Promise<void> {
  const open = (await lockUnpaidOffersOf(tx, userId)).filter(({ status }) => isOneOf(statuses, status))
  if (open.length === 0) return
  await endOffers(
    tx,
    userId,
    open.map(({ id }) => id),
  )
  const people = open.flatMap(({ buyerId, sellerId }) => [buyerId, sellerId])
  await announce(tx, [...new Set(people)], { about: 'offers' })
}

type UnpaidStatus = 'pending' | 'accepted'

const isOneOf = (statuses: readonly string[], status: string) => statuses.includes(status)

/** True if an unpaid offer was made after `endOffersOf` ran. */
export async function hasOpenOffers(
  tx: Tx,
  userId: string,
  statuses: UnpaidStatus[] = ['pending', 'accepted'],
): Promise<boolean> {
  return (await findUnpaidOffersOf(tx, userId)).some(({ status }) => isOneOf(statuses, status))
}
