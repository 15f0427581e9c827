import { and, eq, exists, gt, inArray, ne, not, or, sql } from 'drizzle-orm'
import type { Tx } from '../../../database/database.ts'
import { offers, payments } from '../../../database/schema.ts'
import { announce } from '../../../http/events.ts'

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

/** The pending and accepted offers that a user made or received and that are not paid. */
function findUnpaidOffersOf(tx: Tx, userId: string) {
  const paid = tx
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.offerId, offers.id), ne(payments.status, 'pending')))
  return tx
    .select({ id: offers.id, buyerId: offers.buyerId, sellerId: offers.sellerId, status: offers.status })
    .from(offers)
    .where(
      and(
        or(eq(offers.buyerId, userId), eq(offers.sellerId, userId)),
        inArray(offers.status, ['pending', 'accepted']),
        not(exists(paid)),
      ),
    )
    .orderBy(offers.id)
}

/** Locks by ascending id, like all code that locks offers. */
const lockUnpaidOffersOf = (tx: Tx, userId: string) => findUnpaidOffersOf(tx, userId).for('update')

async function endOffers(tx: Tx, userId: string, ids: number[]): Promise<void> {
  const proposer = sql`case ${offers.proposedBy} when 'seller' then ${offers.sellerId} else ${offers.buyerId} end`
  const withdrawn = sql`(${offers.status} = 'accepted' or ${proposer} = ${userId})`
  const now = sql`${tx.now.toISOString()}::timestamptz`
  await tx
    .update(offers)
    .set({
      status: sql`case when ${withdrawn} then 'withdrawn' else 'rejected' end`,
      withdrawnAt: sql`case when ${withdrawn} then ${now} end`,
      rejectedAt: sql`case when ${withdrawn} then null else ${now} end`,
      acceptedAt: null,
      updatedAt: tx.now,
    })
    .where(inArray(offers.id, ids))
}

/** The sellers with an open offer or counter-offer on a request. */
export async function sellersWithOpenOffers(tx: Tx, wantedItemId: number): Promise<string[]> {
  const found = await tx
    .selectDistinct({ sellerId: offers.sellerId })
    .from(offers)
    .where(
      and(eq(offers.wantedItemId, wantedItemId), eq(offers.status, 'pending'), gt(offers.expiresAt, tx.now)),
    )
  return found.map(({ sellerId }) => sellerId)
}
