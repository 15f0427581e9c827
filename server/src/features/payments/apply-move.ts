import { type Actor, type MoveName, MoveRefused, nextState, partyIn } from '@sought/escrow/moves'
import type { Tx } from '../../platform/database.ts'
import { refuse } from '../../platform/errors.ts'
import { announce } from '../../platform/events.ts'
import type { User } from '../../platform/session.ts'
import { lockPayment, type Payment, savePayment } from './queries.ts'

/** The payment, locked, for one of its two people. Others are not told that it exists. */
export async function lockOwnPayment(tx: Tx, id: number, user: User) {
  const payment = await lockPayment(tx, id)
  const party = payment && partyIn(payment, user.id)
  if (!payment || !party) throw refuse('payment_not_found')
  return { payment, party }
}

/** The payment, locked, whoever asks. */
export async function lockAnyPayment(tx: Tx, id: number): Promise<Payment | undefined> {
  return lockPayment(tx, id)
}

export const isInDispute = ({ status }: Payment) => status === 'disputed' || status === 'under_review'

/** The payment after a move, or the refusal that fits. */
export function moved(payment: Payment, move: MoveName, actor: Actor, now: Date): Payment {
  try {
    return nextState(payment, move, actor, now)
  } catch (error) {
    if (!(error instanceof MoveRefused)) throw error
    throw refuse(error.reason === 'wrong_actor' ? 'not_the_buyer' : 'payment_wrong_state')
  }
}

/** Writes a moved payment and tells its two people. */
export async function save(tx: Tx, before: Payment, after: Payment): Promise<void> {
  await savePayment(tx, before.status, after)
  await announce(tx, [after.buyerId, after.sellerId], { about: 'payments' })
}
