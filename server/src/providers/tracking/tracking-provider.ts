import type { Carrier, TrackingStatus } from '@sought/contract/carriers'

/*
 * The tracking service's interface for the rest of the server. The service is EasyPost or the stand-in, and nothing
 * outside this folder knows which.
 */

export interface ParcelReport {
  trackerId: string
  status: TrackingStatus
  /** When the service last changed the status. */
  reportedAt: Date
  /** When the parcel arrived, if the carrier says so. */
  deliveredAt: Date | null
}

export interface TrackingProvider {
  /** Whether the service can track parcels of a carrier. */
  supports(carrier: Carrier): boolean
  /** Starts tracking a parcel. The same parcel always has the same tracker. Throws TrackingFailed. */
  register(carrier: Carrier, number: string): Promise<ParcelReport>
  /** Throws TrackingFailed. */
  fetch(trackerId: string): Promise<ParcelReport>
  /**
   * The tracker of a webhook, or null if it has none. Undefined if the signature is invalid. Nothing else in the
   * webhook is trusted: the caller asks the service.
   */
  parseWebhook(raw: Buffer, signature: string | undefined): { trackerId: string | null } | undefined
}

/** The service does not answer or refuses. The caller retries later. */
export class TrackingFailed extends Error {}
