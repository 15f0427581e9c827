import type { DeliveryFault, FaultyDelivery } from './faults.ts'

/** The API request that caused an event, and the delivery faults that tests inject. */
export interface Cause {
  requestId: string | null
  idempotencyKey: string | null
  deliveryFault(delivery: FaultyDelivery): DeliveryFault | undefined
}
