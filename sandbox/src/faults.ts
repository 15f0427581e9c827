/*
 * How tests make the provider and the network behave badly, each case on its own. Every fault is something
 * that a client of the real provider has to live with.
 */

/** A call of the API, before anything has been done about it. */
export interface FaultyCall {
  method: string
  /** Without the query: `/v1/transfers`. */
  path: string
  idempotencyKey: string | null
}

/**
 * `before`: nothing happens, and the same key may be tried again. `server_error` is a 500, `rate_limit` a 429,
 * `lock_timeout` a 409, and `cut` ends the connection without an answer.
 *
 * `after`: the call has taken effect, and the caller does not learn of it. `server_error` is a 500 that the
 * idempotency key remembers and gives again, as Stripe's does; `bad_gateway` is a 502 that something between
 * has made, so that the key gives the true answer; `cut` ends the connection; a delay answers, but late.
 */
export type CallFault =
  | { when: 'before'; answer: 'server_error' | 'rate_limit' | 'lock_timeout' | 'cut' }
  | { when: 'after'; answer: 'server_error' | 'bad_gateway' | 'cut' | { delayMs: number } }

/** An event that is about to be sent to the webhook. */
export interface FaultyDelivery {
  eventId: string
  type: string
  /** The id of the object that the event is about. */
  objectId: string
}

/** What becomes of an event's delivery. Fields that are left out follow the developers' page. */
export interface DeliveryFault {
  /** `hold` waits until held deliveries are released; `drop` never sends it. */
  mode?: 'send' | 'hold' | 'drop'
  /** By the sandbox's clock. Different delays make events overtake each other. */
  delayMs?: number
  copies?: number
}

/**
 * Asked once for every call, and once for every event when it is created: what the answer says of a delivery
 * is written down with the event, so that it outlives the process.
 */
export interface Faults {
  call?(call: FaultyCall): CallFault | undefined
  delivery?(delivery: FaultyDelivery): DeliveryFault | undefined
}
