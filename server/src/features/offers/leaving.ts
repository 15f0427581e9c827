import type { Tx } from '../../platform/database.ts'
import { announce } from '../../platform/events.ts'
import { endOffers, findUnpaidOffersOf, lockUnpaidOffersOf } from './leaving-queries.ts'

/**
 * Ends all that somebody who leaves has offered or agreed to and that was not paid: what they proposed is
 * withdrawn, what waits for their answer rejected, what was accepted withdrawn.
 */
export async function leaveOffers(tx: Tx, userId: string): Promise<void> {
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

/** Whether somebody has, all the same, an offer that stands and was not paid: it was made meanwhile. */
export async function hasOpenOffers(tx: Tx, userId: string): Promise<boolean> {
  return (await findUnpaidOffersOf(tx, userId)).length > 0
}
