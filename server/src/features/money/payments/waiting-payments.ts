import { canStopWaiting, partyIn } from '@sought/escrow/moves'
import { refuse } from '../../../core/errors.ts'
import type { User } from '../../../http/session.ts'
import type { CardProvider } from '../../../providers/stripe/card-provider.ts'
import type { Services } from '../../../services.ts'
import { findOwnPayment, readPayment } from './actions.ts'
import { applyMove } from './apply-move.ts'
import { cancelIntent } from './cancel-intent.ts'
import { findOverduePayments, type OverduePayment } from './queries.ts'
import { lockOwnPayment, lockPayment } from './stored-payment.ts'
import { syncPayment } from './sync-payment.ts'

/* The end of payments whose money takes days, if it does not come (ADR 98). */

const OVERDUE_BATCH = 50

/** Stops a payment that waits for its buyer, so that they can pay another way. */
export async function stopWaiting(services: Services, id: number, user: User) {
  const { database, cards, clock } = services
  const { payment } = await findOwnPayment(database.read, id, user)
  if (partyIn(payment, user.id) !== 'buyer') throw refuse('not_the_buyer')
  if (!canStopWaiting(payment, 'buyer', clock())) throw refuse('payment_wrong_state')
  const { stripePaymentIntentId: intentId } = payment
  if (!cards || !intentId) throw refuse('provider_failed')
  if (!(await cancelIntent(cards, intentId))) throw refuse('payment_wrong_state')
  await database.transact(async (tx) => {
    const { payment: locked } = await lockOwnPayment(tx, id, user)
    // A report of the provider may have come first.
    if (canStopWaiting(locked, 'buyer', tx.now))
      await applyMove(tx, locked, { name: 'stop_waiting', actor: 'buyer', cause: 'cancelled' })
  })
  return readPayment(database.read, id, user)
}

/**
 * Opens the requests of payments whose money did not come in time. What waits for its buyer is canceled. Money that a
 * bank still sends is held, or refunded if the request was paid in the meantime.
 */
export async function endOverdueWaits(services: Services, signal?: AbortSignal): Promise<void> {
  const { database, cards, clock, log } = services
  if (!cards) return
  const done: number[] = []
  while (!signal?.aborted) {
    const overdue = await findOverduePayments(database.read, clock(), { except: done, limit: OVERDUE_BATCH })
    for (const payment of overdue) {
      done.push(payment.id)
      await endWait(services, cards, payment).catch((error) =>
        log.warn({ err: error, paymentId: payment.id }, 'could not end an overdue payment, will retry'),
      )
    }
    if (overdue.length < OVERDUE_BATCH) return
  }
}

async function endWait(services: Services, cards: CardProvider, overdue: OverduePayment): Promise<void> {
  const { id, intentId, waitsFor } = overdue
  if (!intentId) return
  await syncPayment(services, cards, intentId)
  if (waitsFor === 'buyer') await cancelIntent(cards, intentId)
  await services.database.transact(async (tx) => {
    const payment = await lockPayment(tx, id)
    if (payment && canStopWaiting(payment, 'clock', tx.now))
      await applyMove(tx, payment, { name: 'stop_waiting', actor: 'clock', cause: 'expired' })
  })
}
