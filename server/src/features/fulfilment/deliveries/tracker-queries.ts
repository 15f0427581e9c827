import type { Carrier } from '@sought/contract/carriers'
import { and, asc, eq, inArray, isNotNull, lte } from 'drizzle-orm'
import type { Tx } from '../../../database/database.ts'
import { payments, trackers } from '../../../database/schema.ts'

export type Tracker = typeof trackers.$inferSelect

interface NewTracker {
  paymentId: number
  carrier: Carrier
  number: string
}

export async function insertTracker(tx: Tx, tracker: NewTracker): Promise<void> {
  await tx.insert(trackers).values({ ...tracker, nextCheckAt: tx.now, createdAt: tx.now })
}

export async function deleteTracker(tx: Tx, paymentId: number): Promise<void> {
  await tx.delete(trackers).where(eq(trackers.paymentId, paymentId))
}

/** The trackers that are due. No other process checks them until `nextCheckAt`. */
export async function claimDueTrackers(tx: Tx, limit: number, nextCheckAt: Date): Promise<Tracker[]> {
  const due = tx
    .select({ paymentId: trackers.paymentId })
    .from(trackers)
    .where(lte(trackers.nextCheckAt, tx.now))
    .orderBy(asc(trackers.nextCheckAt))
    .limit(limit)
  return tx.update(trackers).set({ nextCheckAt }).where(inArray(trackers.paymentId, due)).returning()
}

/** The trackers with this id that are still active. If this check fails, the next sweep checks them again. */
export function makeTrackersDue(tx: Tx, trackerId: string): Promise<Tracker[]> {
  return tx
    .update(trackers)
    .set({ nextCheckAt: tx.now })
    .where(and(eq(trackers.trackerId, trackerId), isNotNull(trackers.nextCheckAt)))
    .returning()
}

/** Locks the tracker of a payment. Undefined if the seller has corrected the number since. */
export async function lockTracker(tx: Tx, { paymentId, carrier, number }: NewTracker) {
  const [found] = await tx
    .select({ tracker: trackers, paymentCreatedAt: payments.createdAt })
    .from(trackers)
    .innerJoin(payments, eq(payments.id, trackers.paymentId))
    .where(and(eq(trackers.paymentId, paymentId), eq(trackers.carrier, carrier), eq(trackers.number, number)))
    .for('no key update', { of: trackers })
  return found
}

export async function updateTracker(
  tx: Tx,
  paymentId: number,
  change: Partial<Pick<Tracker, 'trackerId' | 'status' | 'reportedAt' | 'nextCheckAt'>>,
): Promise<void> {
  await tx
    .update(trackers)
    .set({ ...change, checkedAt: tx.now })
    .where(eq(trackers.paymentId, paymentId))
}
