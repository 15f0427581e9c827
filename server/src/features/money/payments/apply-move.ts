import type { HoldRules } from '@sought/escrow/hold'
import { type Actor, isInEscrow, type MoveName, MoveRefused, nextState } from '@sought/escrow/moves'
import { refuse } from '../../../core/errors.ts'
import type { Tx } from '../../../database/database.ts'
import { announce } from '../../../http/events.ts'
import { enqueue } from '../../../runtime/jobs.ts'
import { setStatusByPayment } from '../../board/requests/reservation.ts'
import { sellersWithOpenOffers } from '../../deals/offers/end-offers.ts'
import { requestReopened, requestReserved } from '../../deals/offers/notifications.ts'
import { notify } from '../../notifications/actions.ts'
import { addTimelineEntry } from '../dispute-records/dispute-records.ts'
import { post } from '../ledger/post.ts'
import { createPayouts } from '../payouts/send-payouts.ts'
import { type Input, type MoveEffects, moveEffects } from './moves.ts'
import type { DuePayment } from './queries.ts'
import * as queries from './queries.ts'
import { type Payment, updatePayment } from './stored-payment.ts'

/*
 * Makes the moves of payments, in the transaction of the caller, who has locked the payment. `escrow/src/moves.ts`
 * decides whether a move is allowed, and `moves.ts` what it does.
 */

/**
 * Moves a payment, which must be passed as it is stored. Refuses a move that its status or the actor does not
 * allow.
 */
export async function applyMove<Name extends MoveName>(
  tx: Tx,
  payment: Payment,
  move: Input<Name>,
): Promise<Payment> {
  const effects: MoveEffects<Input<Name>> = moveEffects[move.name]
  const decided = decide(payment, move, tx.now)
  const refundCents = effects.refundCents?.(payment, move)
  const moved = {
    ...decided,
    ...(await effects.columns?.(payment, move, tx)),
    ...(refundCents !== undefined && { refundCents, refundTryAt: tx.now }),
    // The handover code is deleted once the money has left escrow.
    ...(decided.status !== 'pending' &&
      !isInEscrow(decided.status) && { endedAt: tx.now, handoverCode: null }),
  }
  await updatePayment(tx, payment, moved)
  const entry = effects.timeline?.(payment, move)
  const entryId = entry ? await addTimelineEntry(tx, payment.id, entry) : null
  await effects.record?.(tx, payment, move)
  await applyEffects(tx, [moved], move, effects, entryId)
  if (refundCents) await enqueueRefund(tx, payment.id)
  return moved
}

/** Completes payments whose hold has expired, with one set of statements per batch. */
export async function applyLapse(tx: Tx, due: DuePayment[]): Promise<void> {
  if (due.length === 0) return
  const move = { name: 'lapse', actor: 'clock' } as const
  const completed = due.map((payment) => nextState(payment, move.name, move.actor, tx.now))
  await queries.completePayments(
    tx,
    completed.map(({ id }) => id),
  )
  await applyEffects(tx, completed, move, moveEffects.lapse, null)
}

export const enqueueRefund = (tx: Tx, paymentId: number) =>
  enqueue(tx, 'refund-buyer', { paymentId }, `refund-buyer:${paymentId}`)

/** Refuses a move that the payment's status or the actor does not allow. */
export function checkMove(payment: Payment, move: { name: MoveName; actor: Actor }, now: Date): void {
  decide(payment, move, now)
}

function decide(
  payment: Payment,
  { name, actor, hold }: { name: MoveName; actor: Actor; hold?: HoldRules },
  now: Date,
): Payment {
  try {
    return nextState(payment, name, actor, now, hold)
  } catch (error) {
    if (!(error instanceof MoveRefused)) throw error
    const { wrongActor = 'not_the_buyer', wrongState = 'payment_wrong_state' } = moveEffects[name]
    if (error.reason === 'wrong_actor') throw refuse(wrongActor)
    throw refuse(payment.status === 'pending' ? 'payment_not_paid' : wrongState)
  }
}

async function applyEffects<Move extends { name: MoveName }>(
  tx: Tx,
  moved: DuePayment[],
  move: Move,
  { postings, request, payoutCents, notifications }: MoveEffects<Move>,
  entryId: number | null,
): Promise<void> {
  if (postings) await post(tx, ...moved.flatMap((payment) => postings(payment, move)))
  tx.activities.push(...moved.map(() => `payment_${move.name}` as const))
  if (request) await changeRequests(tx, moved, request)
  if (payoutCents)
    await createPayouts(
      tx,
      moved.map((payment) => ({ payment, payoutCents: payoutCents(payment, move) })),
    )
  const parties = moved.flatMap(({ buyerId, sellerId }) => [buyerId, sellerId])
  await announce(tx, [...new Set(parties)], { about: 'payments' })
  await notify(
    tx,
    moved.flatMap((payment) => notifications(payment, move, { entryId, now: tx.now })),
  )
}

/** Notifies sellers with open offers when the request becomes reserved or open again. */
async function changeRequests(
  tx: Tx,
  moved: DuePayment[],
  status: 'open' | 'reserved' | 'fulfilled',
): Promise<void> {
  await setStatusByPayment(tx, [...new Set(moved.map(({ wantedItemId }) => wantedItemId))], status)
  if (status === 'fulfilled') return
  const event = status === 'reserved' ? requestReserved : requestReopened
  for (const payment of moved) {
    const waiting = await sellersWithOpenOffers(tx, payment.wantedItemId)
    const others = waiting.filter((sellerId) => sellerId !== payment.sellerId)
    await announce(tx, others, { about: 'offers' })
    await notify(tx, event(payment, others))
  }
}
