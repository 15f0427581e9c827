import type { PaymentStatus } from './payment-status.ts'

/*
 * How an item gets to the buyer, and how the dates of a deal depend on it (ADR 58). The server checks these rules
 * before it changes a payment, and the browser before it shows a button.
 */

/** `arranged`: the parties agree on the delivery themselves, and only the hold of the payment counts. */
export const DELIVERY_METHODS = ['arranged', 'shipping', 'in_person'] as const

export type DeliveryMethod = (typeof DELIVERY_METHODS)[number]

/** The parties that can end a deal before the item was sent. */
export const CANCELLERS = ['buyer', 'seller', 'clock'] as const

export type Canceller = (typeof CANCELLERS)[number]

export const SHIP_WITHIN_DAYS_MIN = 1
export const SHIP_WITHIN_DAYS_MAX = 14
export const SHIP_WITHIN_DAYS_DEFAULT = 3

/** The minimum time that the buyer has after the parcel was shipped, and after it was delivered. */
export const HOLD_DAYS_AFTER_SHIPPING = 10
export const HOLD_DAYS_AFTER_DELIVERY = 3

/** How long after the ship-by date the buyer may cancel alone, and when the deal is cancelled automatically. */
export const BUYER_MAY_CANCEL_AFTER_DAYS = 2
export const CANCELLED_AFTER_DAYS = 7

export const HANDOVER_CODE_DIGITS = 6
export const HANDOVER_MAX_ATTEMPTS = 5
export const HANDOVER_LOCK_MINUTES = 60

/** The address of the buyer is erased this long after the deal ended. */
export const ADDRESS_KEPT_DAYS = 30

const DAY_MS = 86_400_000

const addDays = (date: Date, days: number) => new Date(date.getTime() + days * DAY_MS)

/** The fields of a payment that describe the delivery. */
export interface Delivery {
  delivery: DeliveryMethod
  /** The deadline for shipping. Null unless the item is shipped. */
  shipBy: Date | null
  shippedAt: Date | null
  deliveredAt: Date | null
}

type DeliveringPayment = Delivery & { status: PaymentStatus }

export function calculateShipBy(heldAt: Date, shipWithinDays: number): Date {
  return addDays(heldAt, shipWithinDays)
}

/** A parcel can only extend the hold. A seller's report must never shorten it. */
export function extendHold(heldUntil: Date, { delivery, shippedAt, deliveredAt }: Delivery): Date {
  if (delivery !== 'shipping') return heldUntil
  const ends = [
    heldUntil,
    ...(shippedAt ? [addDays(shippedAt, HOLD_DAYS_AFTER_SHIPPING)] : []),
    ...(deliveredAt ? [addDays(deliveredAt, HOLD_DAYS_AFTER_DELIVERY)] : []),
  ]
  return new Date(Math.max(...ends.map((end) => end.getTime())))
}

/** A dispute pauses the time to ship, as it pauses the hold. */
export function resumeShipBy(
  { shipBy, shippedAt }: Pick<Delivery, 'shipBy' | 'shippedAt'>,
  disputedAt: Date,
  now: Date,
): Date | null {
  if (!shipBy || shippedAt) return shipBy
  return new Date(shipBy.getTime() + now.getTime() - disputedAt.getTime())
}

export function isParcelOnItsWay({ delivery, shippedAt }: Pick<Delivery, 'delivery' | 'shippedAt'>): boolean {
  return delivery === 'shipping' && shippedAt !== null
}

/** Whether the end of the hold releases the money. It does not if the item had to be shipped and was not. */
export function isReleasedByClock({ delivery, shippedAt }: Delivery): boolean {
  return delivery !== 'shipping' || shippedAt !== null
}

/** Whether the seller can report or correct the shipment. */
export function canShip({ status, delivery, deliveredAt }: DeliveringPayment): boolean {
  return status === 'held_in_escrow' && delivery !== 'in_person' && deliveredAt === null
}

/** Whether the arrival of the parcel can be reported. */
export function canDeliver({ status, shippedAt, deliveredAt }: DeliveringPayment): boolean {
  return status === 'held_in_escrow' && shippedAt !== null && deliveredAt === null
}

export function canHandOver({ status, delivery }: DeliveringPayment): boolean {
  return status === 'held_in_escrow' && delivery === 'in_person'
}

/** When the buyer may cancel without the seller. Null if they need the seller's consent. */
export function buyerMayCancelFrom({ shipBy, shippedAt }: Delivery): Date | null {
  return shipBy && !shippedAt ? addDays(shipBy, BUYER_MAY_CANCEL_AFTER_DAYS) : null
}

/** When an unshipped deal is cancelled automatically. Null if never. */
export function cancelledAutomaticallyAt({ shipBy, shippedAt }: Delivery): Date | null {
  return shipBy && !shippedAt ? addDays(shipBy, CANCELLED_AFTER_DAYS) : null
}

/** The effect of cancelling a deal now: it ends, the seller is asked for consent, or it is refused. */
export function decideCancellation(
  payment: DeliveringPayment,
  actor: Canceller,
  now: Date,
): 'cancel' | 'ask_seller' | 'refuse' {
  if (payment.status !== 'held_in_escrow' || payment.shippedAt) return 'refuse'
  if (actor === 'seller') return 'cancel'
  const from = actor === 'buyer' ? buyerMayCancelFrom(payment) : cancelledAutomaticallyAt(payment)
  if (from && from <= now) return 'cancel'
  return actor === 'buyer' ? 'ask_seller' : 'refuse'
}

/** When the seller is reminded to ship: halfway and on the ship-by date. */
export function shipReminderDates(heldAt: Date, shipBy: Date): readonly [halfway: Date, due: Date] {
  return [new Date((heldAt.getTime() + shipBy.getTime()) / 2), shipBy]
}
