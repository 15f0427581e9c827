import { expireRequests, notifyRequestsExpiring } from '../features/board/requests/expire-requests.ts'
import { locateRequests } from '../features/board/requests/locate-requests.ts'
import { fetchDuePictures } from '../features/board/requests/pictures/fetch-picture.ts'
import { sendDigests } from '../features/board/saved-searches/send-digests.ts'
import {
  cancelUnshipped,
  eraseAddresses,
  remindSellers,
} from '../features/fulfilment/deliveries/follow-clock.ts'
import { checkTrackers } from '../features/fulfilment/deliveries/track-parcels.ts'
import { recheckReviews } from '../features/fulfilment/reviews/excluded-reviews.ts'
import { publishDueReviews } from '../features/fulfilment/reviews/publish-reviews.ts'
import { notifyOfPolicies } from '../features/identity/policies/notify-of-policies.ts'
import { writeOffDebts } from '../features/money/debts/give-up-debts.ts'
import { escalateLongHolds } from '../features/money/disputes/escalate-long-holds.ts'
import { remindOfPromises } from '../features/money/disputes/remind-of-promises.ts'
import { fetchMissedEvents } from '../features/money/payments/missed-events.ts'
import { notifyHoldEnding } from '../features/money/payments/notify-hold-ending.ts'
import { retryParkedEvents } from '../features/money/payments/provider-events.ts'
import { erasePurchaseIps } from '../features/money/payments/purchase-ip.ts'
import { retryRefunds } from '../features/money/payments/refunds.ts'
import { releaseDue } from '../features/money/payments/release-payments.ts'
import { syncPendingPayments } from '../features/money/payments/sync-payment.ts'
import { endOverdueWaits } from '../features/money/payments/waiting-payments.ts'
import { checkAccounts } from '../features/money/payouts/account-health.ts'
import { remindToClaim } from '../features/money/payouts/remind-to-claim.ts'
import { retryPayouts } from '../features/money/payouts/send-payouts.ts'
import { retryTakeBacks } from '../features/money/payouts/take-back.ts'
import { reconcile } from '../features/money/reconciliation/reconcile.ts'
import { scanHeldFiles } from '../features/trust/scans/scan-files.ts'
import type { Services } from '../services.ts'

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
  'end-overdue-waits': endOverdueWaits,
  'retry-payouts': retryPayouts,
  'remind-to-claim': remindToClaim,
  'retry-refunds': retryRefunds,
  'retry-take-backs': retryTakeBacks,
  'write-off-debts': writeOffDebts,
  'check-accounts': checkAccounts,
  'fetch-due-pictures': fetchDuePictures,
  'send-digests': sendDigests,
  'check-trackers': checkTrackers,
  'cancel-unshipped': cancelUnshipped,
  'remind-sellers': remindSellers,
  'erase-addresses': eraseAddresses,
  'erase-purchase-ips': erasePurchaseIps,
  'notify-requests-expiring': notifyRequestsExpiring,
  'expire-requests': expireRequests,
  'locate-requests': locateRequests,
  'publish-reviews': publishDueReviews,
  'recheck-reviews': recheckReviews,
  'notify-of-policies': notifyOfPolicies,
  'scan-held-files': scanHeldFiles,
  reconcile,
} as const satisfies Record<string, Sweep>
