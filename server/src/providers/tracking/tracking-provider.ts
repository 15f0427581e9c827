import type { Carrier } from '@sought/contract/carriers'

/*
 * The tracking service as the rest of the server sees it. It is EasyPost, or the stand-in; nothing outside this folder
 * knows which.
 */

/** What the carrier says about a parcel. */
export const TRACKING_STATUSES = [
  'unknown',
  'pre_transit',
  'in_transit',
  'out_for_delivery',
  'available_for_pickup',
  'delivered',
  'return_to_sender',
  'failure',
] as const

export type TrackingStatus = (typeof TRACKING_STATUSES)[number]

export interface ParcelReport {
  trackerId: string
  status: TrackingStatus
  /** When the service last changed it. */
  reportedAt: Date
  /** When the parcel arrived, if the carrier says so. */
  deliveredAt: Date | null
}

export interface TrackingProvider {
  /** Whether the service can follow the parcels of a carrier. */
  supports(carrier: Carrier): boolean
  /** Starts to follow a parcel. The same parcel always has the same tracker. Throws TrackingFailed. */
  register(carrier: Carrier, number: string): Promise<ParcelReport>
  /** Throws TrackingFailed. */
  fetch(trackerId: string): Promise<ParcelReport>
  /**
   * Which tracker a webhook is about, or null if it is about something else. Undefined if the signature is not valid.
   * Nothing else in it is trusted: the caller asks the service.
   */
  parseWebhook(raw: Buffer, signature: string | undefined): { trackerId: string | null } | undefined
}

/** The service does not answer, or refuses. The caller tries again later. */
export class TrackingFailed extends Error {}
