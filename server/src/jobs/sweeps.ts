import { cancelUnshipped, eraseAddresses, remindSellers } from '../features/deliveries/follow-clock.ts'
import { checkTrackers } from '../features/deliveries/track-parcels.ts'
import { remindOfPromises } from '../features/disputes/remind-of-promises.ts'
import { escalateLongHolds } from '../features/payments/escalate-long-holds.ts'
import { syncPendingPayments } from '../features/payments/hold-payment.ts'
import { notifyHoldEnding } from '../features/payments/notify-hold-ending.ts'
import { fetchMissedEvents, retryParkedEvents } from '../features/payments/provider-events.ts'
import { retryRefunds } from '../features/payments/refunds.ts'
import { releaseDue } from '../features/payments/release-payments.ts'
import { retryPayouts } from '../features/payouts/send-payouts.ts'
import { notifyOfPolicies } from '../features/policies/notify-of-policies.ts'
import { reconcile } from '../features/reconciliation/reconcile.ts'
import { expireRequests, notifyRequestsExpiring } from '../features/requests/expire-requests.ts'
import { fetchDuePictures } from '../features/requests/fetch-picture.ts'
import { locateRequests } from '../features/requests/locate-requests.ts'
import { publishDueReviews } from '../features/reviews/publish-reviews.ts'
import { sendDigests } from '../features/saved-searches/send-digests.ts'
import type { Services } from '../platform/services.ts'

export type Sweep = (services: Services, signal: AbortSignal) => Promise<unknown>

/**
 * Run every ESCROW_SWEEP_SECONDS. They release expired holds, cancel unshipped deals, remind people, and retry
 * everything that is stuck, so nothing depends on a webhook arriving or a job surviving. `reconcile` runs only once
 * a night.
 */
export const sweeps = {
  'release-due': releaseDue,
  'notify-hold-ending': notifyHoldEnding,
  'escalate-long-holds': escalateLongHolds,
  'remind-of-promises': remindOfPromises,
  'fetch-missed-events': fetchMissedEvents,
  'retry-parked-events': retryParkedEvents,
  'sync-pending-payments': syncPendingPayments,
  'retry-payouts': retryPayouts,
  'retry-refunds': retryRefunds,
  'fetch-due-pictures': fetchDuePictures,
  'send-digests': sendDigests,
  'check-trackers': checkTrackers,
  'cancel-unshipped': cancelUnshipped,
  'remind-sellers': remindSellers,
  'erase-addresses': eraseAddresses,
  'notify-requests-expiring': notifyRequestsExpiring,
  'expire-requests': expireRequests,
  'locate-requests': locateRequests,
  'publish-reviews': publishDueReviews,
  'notify-of-policies': notifyOfPolicies,
  reconcile,
} as const satisfies Record<string, Sweep>
