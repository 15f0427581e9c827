import type { Tx } from '../../platform/database.ts'
import { announce } from '../../platform/events.ts'
import { endOffers, findUnpaidOffersOf, lockUnpaidOffersOf } from './end-offers-queries.ts'

/**
 * Ends every unpaid offer of a user who deletes their account. Offers they made and offers that were accepted are
 * withdrawn; offers that wait for their answer are rejected.
 */
export async function endOffersOf(tx: Tx, userId: string): Promise<void> {
  const open = await lockUnpaidOffersOf(tx, userId)
  if (open.length === 0) return
  await endOffers(
    tx,
    userId,
    open.map(({ id }) => id),
  )
  const people = open.flatMap(({ buyerId, sellerId }) => [buyerId, sellerId])
  await announce(tx, [...new Set(people)], { about: 'offers' })
}

/** True if an unpaid offer was made after `endOffersOf` ran. */
export async function hasOpenOffers(tx: Tx, userId: string): Promise<boolean> {
  return (await findUnpaidOffersOf(tx, userId)).length > 0
}
