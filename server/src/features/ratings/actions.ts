import type { BodyOf } from '@sought/contract/call'
import type { PaymentStatus, submitRating } from '@sought/contract/payments'
import { partyIn } from '@sought/escrow/moves'
import type { Db, Tx } from '../../platform/database.ts'
import { refuse } from '../../platform/errors.ts'
import { announce } from '../../platform/events.ts'
import type { User } from '../../platform/session.ts'
import { notify } from '../notifications/actions.ts'
import { ratingNotification } from '../notifications/build-notifications.ts'
import { addToAverage, findPayment, findRatingsBy, insertRating } from './queries.ts'

/** A seller can be rated once the payment is settled. */
const SETTLED: readonly PaymentStatus[] = [
  'completed',
  'resolved_buyer',
  'resolved_seller',
  'resolved_partial',
]

/** Updates the rating and the seller's average together, once per payment. */
export async function ratePayment(
  tx: Tx,
  paymentId: number,
  { rating, feedback }: BodyOf<typeof submitRating>,
  user: Pick<User, 'id'>,
) {
  const payment = await findPayment(tx, paymentId)
  const party = payment && partyIn(payment, user.id)
  if (!payment || !party) throw refuse('payment_not_found')
  if (party !== 'buyer') throw refuse('not_the_buyer')
  if (!SETTLED.includes(payment.status)) throw refuse('payment_wrong_state')
  const { buyerId, sellerId } = payment
  const isFirst = await insertRating(tx, { paymentId, buyerId, sellerId, rating, feedback: feedback || null })
  if (!isFirst) throw refuse('already_rated')
  await addToAverage(tx, sellerId, rating)
  await announce(tx, [buyerId, sellerId], { about: 'payments' })
  await notify(tx, [ratingNotification(payment)])
  return { ok: true as const }
}

export function listRatingsBy(db: Db, { id }: Pick<User, 'id'>) {
  return findRatingsBy(db, id)
}
