import type { Tx } from '../../platform/database.ts'
import type { TrackingStatus } from '../../providers/tracking/tracking-provider.ts'

/** Does what a new report of the carrier means for a payment. Called once for each status, under the tracker's lock. */
export type ApplyTracking = (tx: Tx, paymentId: number, status: TrackingStatus) => Promise<void>

export const applyTracking: ApplyTracking = async () => {}
