import type { RefusalCode } from '@sought/contract/refusals'
import { calculateFees } from '@sought/escrow/fees'
import type { HoldDays } from '@sought/escrow/hold'
import { type MoveName, MoveRefused, nextState } from '@sought/escrow/moves'
import {
  cancellationPosting,
  duplicatePosting,
  holdPosting,
  inEscrow,
  type Posting,
  releasePosting,
  rulingPosting,
} from '@sought/escrow/postings'
import { isInEscrow } from '@sought/escrow/provider-facts'
import { itemStatusAfter } from '@sought/escrow/reservation'
import { refuse } from '../../../core/errors.ts'
import type { Tx } from '../../../database/database.ts'
import { announce } from '../../../http/events.ts'
import { setStatusByPayment } from '../../board/requests/reservation.ts'
import { requestReopened, requestReserved } from '../../deals/offers/notifications.ts'
import { sellersWithOpenOffers } from '../../deals/offers/open-offers.ts'
import { type NewNotification, notify } from '../../notifications/actions.ts'
import { post } from '../ledger/post.ts'
import { createPayouts } from '../payouts/send-payouts.ts'
import { recordDisputeMove } from './dispute-cases.ts'
import { addTimelineEntry } from './dispute-timeline.ts'
import { enqueueRefund } from './enqueue-refund.ts'
import type { Move, Shipment } from './move.ts'
import { dealCancelled, dealExpired, parcelDelivered, parcelShipped } from './notifications/deliveries.ts'
import {
  chargeback,
  chargebackClosed,
  disputeFiled,
  disputeReviewed,
  disputeRuled,
  disputeSettled,
  disputeWithdrawn,
  moreInfoAsked,
} from './notifications/disputes.ts'
import {
  deliveryConfirmed,
  fundsReleased,
  handedOver,
  paymentDuplicate,
  paymentHeld,
  paymentRefunded,
} from './notifications/payments.ts'
import { completePayments, type DuePayment, type Payment, updatePayment } from './queries.ts'

/*
 * Everything that happens when a payment changes state: the escrow rules decide, the payment is saved, the
 * ledger is posted, the request's status is updated, payouts and refunds are queued, and both parties are
 * notified. All of this happens in the caller's transaction, which has locked the payment.
 */

/** Moves a payment, given as it is stored. Refuses a move that its status or the actor does not allow. */
export async function applyMove(tx: Tx, payment: Payment, move: Move): Promise<Payment> {
  const decided = decide(payment, move, tx.now)
  const moved = { ...decided, ...changesOf(move, payment, tx.now), ...endOf(decided, tx.now) }
  await updatePayment(tx, payment, moved)
  const timeline = 'timeline' in move ? move.timeline : undefined
  const timelineId = timeline ? await addTimelineEntry(tx, payment.id, timeline) : null
  await recordDisputeMove(tx, payment, move)
  await applyEffects(tx, [moved], move, timelineId)
  return moved
}

/** Completes payments whose hold has expired, with one set of statements per batch. */
export async function applyLapse(tx: Tx, due: DuePayment[]): Promise<void> {
  const move = { name: 'lapse', actor: 'clock' } as const
  const completed = due.map((payment) => nextState(payment, move.name, move.actor, tx.now))
  await completePayments(
    tx,
    completed.map(({ id }) => id),
  )
  await applyEffects(tx, completed, move, null)
}

/** Saves changes that are not a move, such as a settlement proposal. */
export async function savePayment(tx: Tx, before: Payment, after: Payment): Promise<void> {
  await updatePayment(tx, before, after)
  await announce(tx, [after.buyerId, after.sellerId], { about: 'payments' })
}

/** Refuses a move that the payment's status or the actor does not allow. */
export function checkMove(payment: Payment, move: Pick<Move, 'name' | 'actor'>, now: Date): void {
  decide(payment, move, now)
}

function decide(
  payment: Payment,
  move: Pick<Move, 'name' | 'actor'> & { hold?: HoldDays },
  now: Date,
): Payment {
  try {
    return nextState(payment, move.name, move.actor, now, move.hold)
  } catch (error) {
    if (!(error instanceof MoveRefused)) throw error
    if (error.reason === 'wrong_actor')
      throw refuse(MOVES_OF_SELLER.includes(move.name) ? 'not_the_seller' : 'not_the_buyer')
    if (payment.status === 'pending') throw refuse('payment_not_paid')
    throw refuse(WRONG_STATES[move.name] ?? 'payment_wrong_state')
  }
}

const MOVES_OF_SELLER: MoveName[] = ['ship', 'deliver', 'hand_over']
const WRONG_STATES: Partial<Record<MoveName, RefusalCode>> = {
  ship: 'not_shippable',
  cancel: 'not_cancellable',
}

/** The handover code is deleted once the money has left escrow. */
const endOf = ({ status }: Payment, now: Date): Partial<Payment> =>
  isInEscrow(status) ? {} : { endedAt: now, handoverCode: null }

const NO_SETTLEMENT = { settlementCents: null, settlementBy: null, settlementAt: null }

/** Column changes besides those of the escrow rules. */
function changesOf(move: Move, payment: Payment, now: Date): Partial<Payment> {
  switch (move.name) {
    case 'dispute':
      return move.changes
    case 'withdraw':
    case 'resume':
      return NO_SETTLEMENT
    case 'reimburse':
      return { ...NO_SETTLEMENT, refundCents: payment.amount, refundedAt: now, bankDecides: false }
    case 'refund':
    case 'release':
    case 'divide':
      return { ...NO_SETTLEMENT, refundCents: move.ruling.refundCents, refundTryAt: now }
    case 'return_duplicate':
      return { ...chargedBy(move, payment, now), refundCents: payment.amount, refundTryAt: now }
    case 'hold':
      return chargedBy(move, payment, now)
    case 'ship':
      return shipmentOf(move.shipment, payment)
    case 'deliver':
      return { deliveryProof: move.proof ?? payment.deliveryProof }
    case 'cancel':
      return { ...cancellationOf(move, payment), refundCents: inEscrow(payment), refundTryAt: now }
    case 'hand_over':
    case 'confirm':
    case 'lapse':
    case 'review':
      return {}
  }
}

const chargedBy = ({ charge }: { charge: Partial<Payment> }, { submittedAt }: Payment, now: Date) => ({
  ...charge,
  submittedAt: submittedAt ?? now,
})

/** Shipping the parcel ends the buyer's request to cancel. */
const shipmentOf = ({ carrier, trackingNumber, note, photo }: Shipment, payment: Payment) => ({
  carrier,
  trackingNumber,
  shipmentNote: note,
  shipmentPhoto: photo ?? payment.shipmentPhoto,
  cancelRequestedAt: null,
  cancelReason: null,
})

/** If the seller agrees to the buyer's request, the buyer counts as the one who cancelled. */
function cancellationOf({ actor, reason }: Extract<Move, { name: 'cancel' }>, payment: Payment) {
  const isAgreed = actor === 'seller' && payment.cancelRequestedAt !== null
  return {
    cancelledBy: isAgreed ? 'buyer' : actor,
    cancelReason: isAgreed ? payment.cancelReason : reason,
    cancelledLate: actor !== 'seller',
  } as const
}

async function applyEffects(
  tx: Tx,
  moved: DuePayment[],
  move: Move,
  timelineId: number | null,
): Promise<void> {
  await post(tx, ...moved.flatMap((payment) => postingsOf(payment, move)))
  tx.activities.push(...moved.map(() => `payment_${move.name}` as const))
  await applyToItems(tx, moved, move)
  await createPayouts(
    tx,
    moved.map((payment) => ({ payment, payoutCents: payoutCentsOf(payment, move) })),
  )
  const parties = moved.flatMap(({ buyerId, sellerId }) => [buyerId, sellerId])
  await announce(tx, [...new Set(parties)], { about: 'payments' })
  await notify(
    tx,
    moved.flatMap((payment) => notificationsOf(payment, move, tx.now, timelineId)),
  )
  const isRefund =
    'ruling' in move
      ? move.ruling.refundCents > 0
      : move.name === 'return_duplicate' || move.name === 'cancel'
  if (isRefund) {
    for (const { id } of moved) await enqueueRefund(tx, id)
  }
}

/** Notifies sellers with open offers when the request becomes reserved or open again. */
async function applyToItems(tx: Tx, moved: DuePayment[], { name }: Move): Promise<void> {
  const status = itemStatusAfter[name]
  if (!status) return
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

function postingsOf(payment: DuePayment, move: Move): Posting[] {
  switch (move.name) {
    case 'hold':
      return [holdPosting(payment)]
    case 'return_duplicate':
      return [holdPosting(payment), duplicatePosting(payment)]
    case 'cancel':
      return [cancellationPosting(payment)]
    case 'hand_over':
    case 'confirm':
    case 'lapse':
      return [releasePosting(payment)]
    case 'refund':
    case 'release':
    case 'divide':
      return [rulingPosting(payment, move.ruling)]
    case 'ship':
    case 'deliver':
    case 'dispute':
    case 'review':
    case 'withdraw':
    case 'resume':
    case 'reimburse':
      return []
  }
}

function payoutCentsOf(payment: DuePayment, move: Move): number {
  switch (move.name) {
    case 'hand_over':
    case 'confirm':
    case 'lapse':
      return calculateFees(inEscrow(payment), payment).payoutCents
    case 'refund':
    case 'release':
    case 'divide':
      return move.ruling.payoutCents
    case 'hold':
    case 'return_duplicate':
    case 'ship':
    case 'deliver':
    case 'cancel':
    case 'dispute':
    case 'review':
    case 'withdraw':
    case 'resume':
    case 'reimburse':
      return 0
  }
}

function notificationsOf(
  payment: DuePayment,
  move: Move,
  now: Date,
  timelineId: number | null,
): NewNotification[] {
  switch (move.name) {
    case 'hold':
      return paymentHeld(payment)
    case 'return_duplicate':
      return paymentDuplicate(payment)
    case 'ship':
      return parcelShipped(payment, move.shipment)
    case 'deliver':
      return parcelDelivered(payment, move.actor)
    case 'cancel':
      return move.actor === 'clock' ? dealExpired(payment) : dealCancelled(payment, move.actor)
    case 'hand_over':
    case 'confirm':
      return [
        ...deliveryConfirmed(payment),
        ...fundsReleased(payment, payoutCentsOf(payment, move), 'buyer'),
        ...(move.name === 'hand_over' ? handedOver(payment) : []),
      ]
    case 'lapse':
      return fundsReleased(payment, payoutCentsOf(payment, move), 'clock')
    case 'dispute':
      if (move.actor === 'provider') return chargeback(payment, now)
      return disputeFiled(payment, requireTimelineId(timelineId))
    case 'review':
      return move.timeline.action === 'under_review'
        ? disputeReviewed(payment, now)
        : moreInfoAsked(payment, now)
    case 'withdraw':
      return disputeWithdrawn(payment, requireTimelineId(timelineId))
    case 'resume':
      return chargebackClosed(payment, now)
    case 'reimburse':
      return move.cause === 'chargeback'
        ? disputeRuled(payment, { refundCents: payment.amount, payoutCents: 0 })
        : paymentRefunded(payment, payment.amount, 'all')
    case 'refund':
    case 'release':
    case 'divide':
      return (move.actor === 'parties' ? disputeSettled : disputeRuled)(payment, move.ruling)
  }
}

function requireTimelineId(id: number | null): number {
  if (id === null) throw new Error('this move needs a timeline entry')
  return id
}
