/* Faults of the provider and the network that tests can inject. Clients of the real provider must handle all of them. */

/** An API call before it is handled. */
export interface FaultyCall {
  method: string
  /** Without the query: `/v1/transfers`. */
  path: string
  idempotencyKey: string | null
}

/**
 * `before`: the call has no effect, and its key can be used again. `server_error` is a 500, `rate_limit` and
 * `lock_timeout` are a 429, and `cut` closes the connection without a response.
 *
 * `after`: the call takes effect, but the caller does not get the normal response. `server_error` is a 500
 * that the idempotency key stores and replays, as Stripe does. `bad_gateway` is a 502 from a proxy, so the key
 * replays the real response. `cut` closes the connection. `delayMs` and `until` send the response late.
 */
export type CallFault =
  | { when: 'before'; answer: 'server_error' | 'rate_limit' | 'lock_timeout' | 'cut' }
  | {
      when: 'after'
      answer: 'server_error' | 'bad_gateway' | 'cut' | { delayMs: number } | { until: Promise<unknown> }
    }

/** An event for which deliveries are being scheduled. */
export interface FaultyDelivery {
  eventId: string
  type: string
  /** The id of the object in the event. */
  objectId: string
}

/** How to deliver an event. Omitted fields use the settings of the dashboard. */
export interface DeliveryFault {
  /** `hold` waits until deliveries are released; `drop` never sends it. */
  mode?: 'send' | 'hold' | 'drop'
  /** By the sandbox's clock. Different delays reorder events. */
  delayMs?: number
  copies?: number
}

/**
 * Called once for each API call, and once for each event when it is created. Delivery faults are stored with
 * the event, so they survive a restart.
 */
export interface Faults {
  call?(call: FaultyCall): CallFault | undefined
  delivery?(delivery: FaultyDelivery): DeliveryFault | undefined
}
