import {
  type Canceller,
  calculateShipBy,
  canDeliver,
  canHandOver,
  canShip,
  type Delivery,
  decideCancellation,
  extendHold,
  isParcelOnItsWay,
  isReleasedByClock,
  resumeShipBy,
} from './delivery.ts'
import { calculateHoldEnd, type HoldRules, resumeHold, STANDARD_HOLD } from './hold.ts'
import type { WaitsFor } from './payment-methods.ts'
import type { PaymentStatus } from './payment-status.ts'

/*
 * The state machine of a payment, as data. The server checks it before it changes a payment, the browser
 * before it shows a button.
 */

/**
 * Who makes a move. `clock` is the end of the hold or of the shipping time, `parties` a settlement that both
 * accepted, `carrier` the tracking service.
 */
export type Actor = 'buyer' | 'seller' | 'provider' | 'clock' | 'admin' | 'parties' | 'carrier'

interface Move {
  from: readonly PaymentStatus[]
  to: PaymentStatus
  by: readonly Actor[]
}

const OPEN_DISPUTE = ['disputed', 'under_review'] as const

export const moves = {
  /** The payment was submitted, and its money comes days later. It reserves the request until then. */
  wait: { from: ['pending'], to: 'pending', by: ['provider'] },
  /** The money did not come in time, it failed, or the buyer wants to pay another way. */
  stop_waiting: { from: ['pending'], to: 'pending', by: ['provider', 'clock', 'buyer'] },
  /** The card was charged. */
  hold: { from: ['pending'], to: 'held_in_escrow', by: ['provider'] },
  /**
   * The card was charged for a request that another payment has already paid for. The whole amount is refunded (ADR
   * 49).
   */
  return_duplicate: { from: ['pending'], to: 'refunded', by: ['provider'] },
  /** The card was charged something else than agreed. Everything is refunded. */
  return_mischarge: { from: ['pending'], to: 'refunded', by: ['provider'] },
  /** The parcel was shipped, or the seller corrects its details. */
  ship: { from: ['held_in_escrow'], to: 'held_in_escrow', by: ['seller'] },
  /** The parcel arrived. */
  deliver: { from: ['held_in_escrow'], to: 'held_in_escrow', by: ['seller', 'carrier'] },
  /** The seller entered the buyer's code, so the buyer has the item. Counts as the buyer's confirmation. */
  hand_over: { from: ['held_in_escrow'], to: 'completed', by: ['seller'] },
  /** The deal ends before the item was shipped, and the buyer gets everything back. */
  cancel: { from: ['held_in_escrow'], to: 'refunded', by: ['buyer', 'seller', 'clock'] },
  /** The buyer received the item. */
  confirm: { from: ['held_in_escrow'], to: 'completed', by: ['buyer'] },
  /** The hold ended without a confirmation or a dispute. */
  lapse: { from: ['held_in_escrow'], to: 'completed', by: ['clock'] },
  /** Filed by the buyer, or by the provider for a chargeback. */
  dispute: { from: ['held_in_escrow'], to: 'disputed', by: ['buyer', 'provider'] },
  review: { from: OPEN_DISPUTE, to: 'under_review', by: ['admin'] },
  withdraw: { from: OPEN_DISPUTE, to: 'held_in_escrow', by: ['buyer'] },
  /** The bank has closed a chargeback without taking the money. */
  resume: { from: OPEN_DISPUTE, to: 'held_in_escrow', by: ['provider'] },
  /** An admin decides that the buyer gets the whole amount back. */
  refund: { from: OPEN_DISPUTE, to: 'resolved_buyer', by: ['admin'] },
  /** The buyer already has the whole amount back, from their bank or by a refund in the provider's dashboard. */
  reimburse: { from: ['held_in_escrow', ...OPEN_DISPUTE], to: 'resolved_buyer', by: ['provider'] },
  release: { from: OPEN_DISPUTE, to: 'resolved_seller', by: ['admin'] },
  /** The amount is divided between buyer and seller. */
  divide: { from: OPEN_DISPUTE, to: 'resolved_partial', by: ['admin', 'parties'] },
} as const satisfies Record<string, Move>

export type MoveName = keyof typeof moves

/** The fields of a payment that moves read and write. */
export interface PaymentState extends Delivery {
  buyerId: string
  sellerId: string
  amount: number
  status: PaymentStatus
  /** Until when a submitted payment waits for its money, and for whom. */
  waitingUntil: Date | null
  waitsFor: WaitsFor | null
  escrowHoldUntil: Date | null
  /** Whether a dispute has extended the hold to its minimum. */
  holdExtended: boolean
  buyerConfirmedAt: Date | null
  fundsReleasedAt: Date | null
  completedAt: Date | null
  disputedAt: Date | null
  shipWithinDays: number | null
}

/** Thrown when a move is not allowed in the payment's status, or not for this actor. */
export class MoveRefused extends Error {
  readonly reason: 'wrong_state' | 'wrong_actor'

  constructor(reason: 'wrong_state' | 'wrong_actor', move: MoveName) {
    super(`${move} refused: ${reason}`)
    this.reason = reason
  }
}

export const isInDispute = (status: PaymentStatus) => status === 'disputed' || status === 'under_review'

export const isInEscrow = (status: PaymentStatus) => status === 'held_in_escrow' || isInDispute(status)

export function canMove(status: PaymentStatus, name: MoveName, actor: Actor): boolean {
  const move: Move = moves[name]
  return move.from.includes(status) && move.by.includes(actor)
}

/** The role of a user in a payment, or null if they have none. */
export function partyIn(
  { buyerId, sellerId }: Pick<PaymentState, 'buyerId' | 'sellerId'>,
  userId: string,
): 'buyer' | 'seller' | null {
  if (userId === buyerId) return 'buyer'
  return userId === sellerId ? 'seller' : null
}

/** Returns a copy of the payment after a move. Only `hold` needs the market's hold period. */
export function nextState<Payment extends PaymentState>(
  payment: Payment,
  name: MoveName,
  actor: Actor,
  now: Date,
  hold: HoldRules = STANDARD_HOLD,
): Payment {
  const move: Move = moves[name]
  if (!move.by.includes(actor)) throw new MoveRefused('wrong_actor', name)
  if (!move.from.includes(payment.status)) throw new MoveRefused('wrong_state', name)
  return { ...payment, status: move.to, ...changedFields(payment, name, actor, now, hold) }
}

function changedFields(
  payment: PaymentState,
  name: MoveName,
  actor: Actor,
  now: Date,
  hold: HoldRules,
): Partial<PaymentState> {
  const requireState = (isAllowed: boolean) => {
    if (!isAllowed) throw new MoveRefused('wrong_state', name)
  }
  switch (name) {
    case 'hold': {
      const { amount, shipWithinDays } = payment
      return {
        ...NOT_WAITING,
        escrowHoldUntil: calculateHoldEnd(amount, now, hold),
        shipBy: shipWithinDays === null ? null : calculateShipBy(now, shipWithinDays),
      }
    }
    case 'return_duplicate':
    case 'return_mischarge':
      return NOT_WAITING
    case 'wait':
      return {}
    case 'stop_waiting':
      requireState(canStopWaiting(payment, actor, now))
      return NOT_WAITING
    case 'ship':
      requireState(canShip(payment))
      return followParcel(payment, { shippedAt: payment.shippedAt ?? now })
    case 'deliver':
      requireState(canDeliver(payment))
      return followParcel(payment, { deliveredAt: now })
    case 'cancel':
      requireState(decideCancellation(payment, cancellerOf(actor), now) === 'cancel')
      return {}
    case 'hand_over':
      requireState(canHandOver(payment))
      return { buyerConfirmedAt: now, fundsReleasedAt: now, completedAt: now }
    case 'confirm':
      return { buyerConfirmedAt: now, fundsReleasedAt: now, completedAt: now }
    case 'lapse':
      requireState(hasHoldEnded(payment, now) && isReleasedByClock(payment))
      return { fundsReleasedAt: now, completedAt: now }
    case 'dispute':
      return { disputedAt: now }
    case 'withdraw':
    case 'resume':
      return { ...resumeDates(payment, now), disputedAt: null }
    case 'release':
    case 'divide':
      return { fundsReleasedAt: now }
    case 'review':
    case 'refund':
    case 'reimburse':
      return {}
  }
}

const NOT_WAITING = { waitingUntil: null, waitsFor: null }

/** Only a payment that waits for its buyer can still be stopped: the bank may already have taken the money. */
export function canStopWaiting(
  { status, waitingUntil, waitsFor }: Pick<PaymentState, 'status' | 'waitingUntil' | 'waitsFor'>,
  actor: Actor,
  now: Date,
): boolean {
  if (status !== 'pending' || waitingUntil === null) return false
  if (actor === 'clock') return waitingUntil <= now
  return actor === 'provider' || waitsFor === 'buyer'
}

function hasHoldEnded({ escrowHoldUntil }: Pick<PaymentState, 'escrowHoldUntil'>, now: Date): boolean {
  return escrowHoldUntil !== null && escrowHoldUntil <= now
}

/** The report about the parcel, and the resulting end of the hold. */
function followParcel(payment: PaymentState, report: Partial<Delivery>): Partial<PaymentState> {
  if (!payment.escrowHoldUntil) throw new Error('a payment in escrow must have escrowHoldUntil')
  return { ...report, escrowHoldUntil: extendHold(payment.escrowHoldUntil, { ...payment, ...report }) }
}

function cancellerOf(actor: Actor): Canceller {
  if (actor === 'buyer' || actor === 'seller' || actor === 'clock') return actor
  throw new MoveRefused('wrong_actor', 'cancel')
}

/** A dispute pauses the hold and the time to ship. A shipped parcel has given the buyer enough time already. */
function resumeDates(payment: PaymentState, now: Date): Partial<PaymentState> {
  const { escrowHoldUntil, disputedAt, holdExtended } = payment
  if (!escrowHoldUntil || !disputedAt)
    throw new Error('a disputed payment must have escrowHoldUntil and disputedAt')
  const mayExtend = !holdExtended && !isParcelOnItsWay(payment)
  const { heldUntil, isExtended } = resumeHold(escrowHoldUntil, disputedAt, now, mayExtend)
  return {
    escrowHoldUntil: heldUntil,
    holdExtended: holdExtended || isExtended,
    shipBy: resumeShipBy(payment, disputedAt, now),
  }
}
