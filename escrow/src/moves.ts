import { calculateHoldEnd, calculateResumedHoldEnd } from './hold.ts'
import type { PaymentStatus } from './payment-status.ts'

/*
 * The life of a payment, as data. The server asks it before it acts, the browser before it shows a
 * button, and the tests walk it.
 */

/** Who acts: a party, the card provider, the passing of time, an admin, or both parties in agreement. */
export type Actor = 'buyer' | 'seller' | 'provider' | 'clock' | 'admin' | 'parties'

interface Move {
  from: readonly PaymentStatus[]
  to: PaymentStatus
  by: readonly Actor[]
}

const inDispute = ['disputed', 'under_review'] as const

export const moves = {
  /** The card was charged. */
  hold: { from: ['pending'], to: 'held_in_escrow', by: ['provider'] },
  /** The thing is in the buyer's hands. */
  confirm: { from: ['held_in_escrow'], to: 'completed', by: ['buyer'] },
  /** Nobody said anything while the hold lasted. */
  lapse: { from: ['held_in_escrow'], to: 'completed', by: ['clock'] },
  /** Something is wrong. A chargeback comes from the provider. */
  dispute: { from: ['held_in_escrow'], to: 'disputed', by: ['buyer', 'provider'] },
  review: { from: inDispute, to: 'under_review', by: ['admin'] },
  withdraw: { from: inDispute, to: 'held_in_escrow', by: ['buyer'] },
  /** The buyer gets everything back. A chargeback that the bank grants does the same. */
  refund: { from: inDispute, to: 'resolved_buyer', by: ['admin', 'provider'] },
  release: { from: inDispute, to: 'resolved_seller', by: ['admin'] },
  /** Each gets a part. */
  divide: { from: inDispute, to: 'resolved_partial', by: ['admin', 'parties'] },
} as const satisfies Record<string, Move>

export type MoveName = keyof typeof moves

/** What the moves read and write of a payment. */
export interface PaymentState {
  buyerId: string
  sellerId: string
  amount: number
  status: PaymentStatus
  escrowHoldUntil: Date | null
  buyerConfirmedAt: Date | null
  fundsReleasedAt: Date | null
  completedAt: Date | null
  disputedAt: Date | null
}

/** A move that this payment does not allow now, or not to this actor. */
export class MoveRefused extends Error {
  readonly reason: 'wrong_state' | 'wrong_actor'

  constructor(reason: 'wrong_state' | 'wrong_actor', move: MoveName) {
    super(`${move} refused: ${reason}`)
    this.reason = reason
  }
}

/** Whether a payment in this state offers this move to this actor. */
export function canMove(status: PaymentStatus, name: MoveName, actor: Actor): boolean {
  const move: Move = moves[name]
  return move.from.includes(status) && move.by.includes(actor)
}

/** Which of the two parties somebody is. */
export function partyIn(
  { buyerId, sellerId }: Pick<PaymentState, 'buyerId' | 'sellerId'>,
  userId: string,
): 'buyer' | 'seller' | null {
  if (userId === buyerId) return 'buyer'
  return userId === sellerId ? 'seller' : null
}

/** The payment after a move. The one it was given stays as it is. */
export function nextState<Payment extends PaymentState>(
  payment: Payment,
  name: MoveName,
  actor: Actor,
  now: Date,
): Payment {
  const move: Move = moves[name]
  if (!move.by.includes(actor)) throw new MoveRefused('wrong_actor', name)
  if (!move.from.includes(payment.status)) throw new MoveRefused('wrong_state', name)
  return { ...payment, status: move.to, ...changes(payment, name, now) }
}

function changes(payment: PaymentState, name: MoveName, now: Date): Partial<PaymentState> {
  switch (name) {
    case 'hold':
      return { escrowHoldUntil: calculateHoldEnd(payment.amount, now) }
    case 'confirm':
      return { buyerConfirmedAt: now, fundsReleasedAt: now, completedAt: now }
    case 'lapse':
      if (!isDue(payment, now)) throw new MoveRefused('wrong_state', name)
      return { fundsReleasedAt: now, completedAt: now }
    case 'dispute':
      return { disputedAt: now }
    case 'withdraw':
      return { escrowHoldUntil: resumedHold(payment, now), disputedAt: null }
    case 'release':
    case 'divide':
      return { fundsReleasedAt: now }
    case 'review':
    case 'refund':
      return {}
  }
}

/** Whether the hold has run out. */
export function isDue({ escrowHoldUntil }: Pick<PaymentState, 'escrowHoldUntil'>, now: Date): boolean {
  return escrowHoldUntil !== null && escrowHoldUntil <= now
}

function resumedHold({ escrowHoldUntil, disputedAt }: PaymentState, now: Date): Date {
  if (!escrowHoldUntil || !disputedAt) throw new Error('a payment in dispute has a hold and a day of filing')
  return calculateResumedHoldEnd(escrowHoldUntil, disputedAt, now)
}
