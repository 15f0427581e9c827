import type { Carrier, TrackingStatus } from '@sought/contract/carriers'
import { isInEscrow } from '@sought/escrow/moves'
import { and, asc, eq, inArray, isNotNull, lte } from 'drizzle-orm'
import type { Tx } from '../../../database/database.ts'
import { updateRows } from '../../../database/rows.ts'
import { payments, trackers } from '../../../database/schema.ts'
import {
  type ParcelReport,
  TrackingFailed,
  type TrackingProvider,
} from '../../../providers/tracking/tracking-provider.ts'
import type { Services } from '../../../services.ts'
import { applyMove } from '../../money/payments/apply-move.ts'
import { lockPayment, savePayment } from '../../money/payments/stored-payment.ts'
import { notify } from '../../notifications/actions.ts'
import { parcelFailed, parcelReturned } from './notifications.ts'

/*
 * Tracks parcels with the tracking service (ADR 59). A webhook only names a parcel. Webhooks and the sweep both
 * read the parcel's state from the service, so nothing depends on webhooks.
 */

const CHECK_BATCH = 50
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const CHECK_MIN_MS = 15 * MINUTE_MS
const CHECK_MAX_MS = 6 * HOUR_MS
/** Longer than any parcel takes. */
const FOLLOWED_DAYS = 90

/** After these statuses, nothing changes for the buyer any more. */
const FINAL: readonly TrackingStatus[] = ['delivered', 'return_to_sender']

interface Parcel {
  paymentId: number
  carrier: Carrier
  number: string
}

/** Starts tracking this parcel, instead of the one that the seller named before. */
export async function startTracking(
  tx: Tx,
  tracking: TrackingProvider | null,
  parcel: Parcel,
): Promise<void> {
  await stopTracking(tx, parcel.paymentId)
  if (tracking?.supports(parcel.carrier)) await insertTracker(tx, parcel)
}

export function stopTracking(tx: Tx, paymentId: number): Promise<void> {
  return deleteTracker(tx, paymentId)
}

/** The sweep: checks the parcels that are due. */
export async function checkTrackers(services: Services): Promise<void> {
  const { database, tracking } = services
  if (!tracking) return
  const due = await database.transact((tx) =>
    claimDueTrackers(tx, CHECK_BATCH, new Date(tx.now.getTime() + CHECK_MIN_MS)),
  )
  for (const tracker of due) await checkTracker(services, tracking, tracker)
}

/** Handles a webhook about a tracker. If the check fails, the sweep repeats it. */
export async function receiveTrackerEvent(
  services: Services,
  tracking: TrackingProvider,
  trackerId: string,
): Promise<void> {
  const found = await services.database.transact((tx) => makeTrackersDue(tx, trackerId))
  for (const tracker of found) await checkTracker(services, tracking, tracker)
}

async function checkTracker(
  { database, log }: Services,
  tracking: TrackingProvider,
  tracker: Tracker,
): Promise<void> {
  const { paymentId, trackerId, carrier, number } = tracker
  try {
    const report = trackerId ? await tracking.fetch(trackerId) : await tracking.register(carrier, number)
    await database.transact((tx) => saveReport(tx, tracker, report))
  } catch (error) {
    if (!(error instanceof TrackingFailed)) throw error
    log.info({ err: error, paymentId }, 'could not ask about a parcel, will retry')
  }
}

/** Reports can arrive twice, in any order, and about a number that the seller has corrected since. */
async function saveReport(tx: Tx, parcel: Parcel, report: ParcelReport): Promise<void> {
  // Payments, then trackers: a seller who corrects the number locks them in this order.
  await lockPayment(tx, parcel.paymentId)
  const found = await lockTracker(tx, parcel)
  if (!found) return
  const { tracker, paymentCreatedAt } = found
  const isOutdated = tracker.reportedAt !== null && report.reportedAt < tracker.reportedAt
  if (isOutdated || FINAL.includes(tracker.status)) return
  const status = isOfEarlierParcel(report, paymentCreatedAt) ? 'unknown' : report.status
  await updateTracker(tx, tracker.paymentId, {
    trackerId: report.trackerId,
    status,
    reportedAt: report.reportedAt,
    nextCheckAt: planNextCheck(tracker.createdAt, status, tx.now),
  })
  if (status !== tracker.status) await applyTracking(tx, tracker.paymentId, status)
}

/** Carriers reuse numbers, and a seller could name a parcel that arrived long ago. */
function isOfEarlierParcel({ deliveredAt }: ParcelReport, paymentCreatedAt: Date): boolean {
  return deliveredAt !== null && deliveredAt < paymentCreatedAt
}

/** The longer a parcel is in transit, the less often it is checked. */
function planNextCheck(since: Date, status: TrackingStatus, now: Date): Date | null {
  const ageMs = now.getTime() - since.getTime()
  if (FINAL.includes(status) || ageMs > FOLLOWED_DAYS * 24 * HOUR_MS) return null
  return new Date(now.getTime() + Math.min(CHECK_MAX_MS, Math.max(CHECK_MIN_MS, ageMs / 10)))
}

type Tracker = typeof trackers.$inferSelect

interface NewTracker {
  paymentId: number
  carrier: Carrier
  number: string
}

async function insertTracker(tx: Tx, tracker: NewTracker): Promise<void> {
  await tx.insert(trackers).values({ ...tracker, nextCheckAt: tx.now, createdAt: tx.now })
}

async function deleteTracker(tx: Tx, paymentId: number): Promise<void> {
  await tx.delete(trackers).where(eq(trackers.paymentId, paymentId))
}

/** The trackers that are due. No other process checks them until `nextCheckAt`. */
async function claimDueTrackers(tx: Tx, limit: number, nextCheckAt: Date): Promise<Tracker[]> {
  const due = tx
    .select({ paymentId: trackers.paymentId })
    .from(trackers)
    .where(lte(trackers.nextCheckAt, tx.now))
    .orderBy(asc(trackers.nextCheckAt))
    .limit(limit)
  return tx.update(trackers).set({ nextCheckAt }).where(inArray(trackers.paymentId, due)).returning()
}

/**
 * Makes the active trackers with this id due and returns them. If checking one fails now, the next sweep checks
 * it again.
 */
function makeTrackersDue(tx: Tx, trackerId: string): Promise<Tracker[]> {
  return tx
    .update(trackers)
    .set({ nextCheckAt: tx.now })
    .where(and(eq(trackers.trackerId, trackerId), isNotNull(trackers.nextCheckAt)))
    .returning()
}

/** Locks the tracker of a payment. Undefined if the seller has corrected the number since. */
async function lockTracker(tx: Tx, { paymentId, carrier, number }: NewTracker) {
  const [found] = await tx
    .select({ tracker: trackers, paymentCreatedAt: payments.createdAt })
    .from(trackers)
    .innerJoin(payments, eq(payments.id, trackers.paymentId))
    .where(and(eq(trackers.paymentId, paymentId), eq(trackers.carrier, carrier), eq(trackers.number, number)))
    .for('no key update', { of: trackers })
  return found
}

async function updateTracker(
  tx: Tx,
  paymentId: number,
  change: Partial<Pick<Tracker, 'trackerId' | 'status' | 'reportedAt' | 'nextCheckAt'>>,
): Promise<void> {
  await updateRows(tx, trackers, { paymentId }, { ...change, checkedAt: tx.now })
}

/**
 * Applies a new carrier report to a payment. Called once for each status, under the locks of the payment and
 * its tracker.
 */
async function applyTracking(tx: Tx, paymentId: number, status: TrackingStatus): Promise<void> {
  const payment = await lockPayment(tx, paymentId)
  if (!payment?.shippedAt || payment.deliveredAt || !isInEscrow(payment.status)) return
  switch (status) {
    case 'delivered':
      // In a dispute, the date is evidence. If the dispute is withdrawn, the hold is calculated from it.
      if (payment.status !== 'held_in_escrow') await savePayment(tx, payment, { deliveredAt: tx.now })
      else await applyMove(tx, payment, { name: 'deliver', actor: 'carrier', proof: null })
      return
    case 'return_to_sender':
      return notify(tx, parcelReturned(payment))
    case 'failure':
      return notify(tx, parcelFailed(payment))
    case 'unknown':
    case 'pre_transit':
    case 'in_transit':
    case 'out_for_delivery':
    case 'available_for_pickup':
      return
  }
}
