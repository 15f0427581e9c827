import type { DeliveryFault, FaultyDelivery } from './faults.ts'

/** What made something happen: an event says so, and a test may have plans for what it sends. */
export interface Cause {
  requestId: string | null
  idempotencyKey: string | null
  deliveryFault(delivery: FaultyDelivery): DeliveryFault | undefined
}
