import type { Carrier } from '@sought/contract/carriers'
import { type Currency, rulesOf } from '@sought/contract/currencies'
import type { RefusalCode } from '@sought/contract/refusals'
import { calculateFees } from '@sought/escrow/fees'
import type { HoldRules } from '@sought/escrow/hold'
import type { MoveName } from '@sought/escrow/moves'
import { type WaitsFor, waitEnd } from '@sought/escrow/payment-methods'
import {
  cancellationPosting,
  duplicatePosting,
  holdPosting,
  inEscrow,
  mischargePosting,
  type Posting,
  releasePosting,
  rulingPosting,
} from '@sought/escrow/postings'
import type { Ruling, RulingAction } from '@sought/escrow/rulings'
import type { Tx } from '../../../database/database.ts'
import { reportCancellations } from '../../deals/offers/cancellation-limit.ts'
import type { NewNotification } from '../../notifications/actions.ts'
import { oweCancellationFee } from '../debts/actions.ts'
import {
  composeSearchWords,
  describeRefund,
  endCase,
  openCase,
  recordAdminStep,
  type TimelineEntry,
} from '../dispute-records/dispute-records.ts'
import { enqueueOwedPayouts } from '../payouts/send-payouts.ts'
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
  mischargeFound,
  paymentDuplicate,
  paymentHeld,
  paymentMischarged,
  paymentNotArrived,
  paymentRefunded,
  paymentWaiting,
} from './notifications/payments.ts'
import type { DuePayment } from './queries.ts'
import { noSettlement, type Payment } from './stored-payment.ts'

/*
 * The effects of each move of a payment. `escrow/src/moves.ts` has the rules: who may make it, in which status,
 * and which dates it sets. `applyMove` makes the move in one transaction.
 */

type Party = 'buyer' | 'seller'

/** The data that a caller passes for each move. */
interface Inputs {
  wait: { actor: 'provider'; method: string; waitsFor: WaitsFor }
  stop_waiting:
    | { actor: 'provider'; cause: 'failed' }
    | { actor: 'clock'; cause: 'expired' }
    | { actor: 'buyer'; cause: 'cancelled' }
  /** `hold` is the market's current hold period. */
  hold: { actor: 'provider'; charge: Charge; hold: HoldRules; payoutWaitsUntil: Date | null }
  return_duplicate: { actor: 'provider'; charge: Charge }
  return_mischarge: {
    actor: 'provider'
    charge: Charge
    received: { cents: number; currency: Currency }
    admins: { userId: string }[]
  }
  ship: { actor: Party; shipment: Shipment }
  deliver: { actor: Party | 'carrier'; proof: string | null }
  hand_over: { actor: Party }
  cancel: { actor: Party | 'clock'; reason: string }
  confirm: { actor: Party }
  lapse: { actor: 'clock' }
  dispute: { actor: Party | 'provider'; reason: string }
  review: {
    actor: 'admin'
    by: string
    action: 'under_review' | 'request_more_info'
    note?: string | undefined
  }
  withdraw: { actor: Party }
  resume: { actor: 'provider' }
  /** The money has already left escrow, and the ledger shows it. */
  reimburse: { actor: 'provider'; cause: 'chargeback' | 'refund' }
  refund: Ending
  release: Ending
  divide: Ending
}

/** The time of the charge, and what it was paid with. */
type Charge = Pick<Payment, 'chargedAt' | 'method' | 'cardFingerprint' | 'cardLast4'>

/** The seller's shipping details. An earlier photo is kept unless there is a new one. */
interface Shipment {
  carrier: Carrier
  trackingNumber: string | null
  note: string | null
  photo: string | null
}

/** `by` is the admin who ruled, or the party who accepted the settlement. */
type Ending =
  | { actor: 'admin'; by: string; ruling: Ruling; action: RulingAction; note?: string | undefined }
  | { actor: 'parties'; by: string; ruling: Ruling }

export type Input<Name extends MoveName> = { name: Name } & Inputs[Name]
export type Move = { [Name in MoveName]: Input<Name> }[MoveName]

/**
 * A move has only some of these effects. Those that take a `Payment` get it as it was before the move, the others as it
 * is afterwards.
 */
export interface MoveEffects<Given> {
  /** Refuses actors who may not make the move. By default `not_the_buyer`. */
  wrongActor?: RefusalCode
  /** Refuses the move in other statuses. By default `payment_wrong_state`. */
  wrongState?: RefusalCode
  /** Columns that change besides those that the escrow rules set. */
  columns?: (payment: Payment, move: Given, tx: Tx) => Partial<Payment> | Promise<Partial<Payment>>
  /** The refund that the buyer is owed. */
  refundCents?: (payment: Payment, move: Given) => number
  timeline?: (payment: Payment, move: Given) => TimelineEntry | null
  /** Updates the record of the payment's dispute. */
  record?: (tx: Tx, payment: Payment, move: Given) => Promise<void>
  postings?: (payment: DuePayment, move: Given) => Posting[]
  /** The status that the request changes to. */
  request?: 'open' | 'reserved' | 'fulfilled'
  /** The payout that the seller is owed. */
  payoutCents?: (payment: DuePayment, move: Given) => number
  notifications: (
    payment: DuePayment,
    move: Given,
    stored: { entryId: number | null; now: Date },
  ) => NewNotification[]
}

const charged = ({ submittedAt }: Payment, { charge }: { charge: Charge }, { now }: Tx) => ({
  ...charge,
  submittedAt: submittedAt ?? now,
})

const released = {
  postings: (payment: DuePayment) => [releasePosting(payment, rulesOf(payment.currency))],
  request: 'fulfilled',
  payoutCents: (payment: DuePayment) =>
    calculateFees(inEscrow(payment), payment, rulesOf(payment.currency)).payout,
} as const

const notificationsOfConfirmed = (payment: DuePayment) => [
  ...deliveryConfirmed(payment),
  ...fundsReleased(payment, released.payoutCents(payment), 'buyer'),
]

/** A ruling or a settlement. */
const ended: Omit<MoveEffects<Ending>, 'request'> = {
  columns: noSettlement,
  refundCents: (_, { ruling }) => ruling.refund,
  timeline: ({ currency }, move) =>
    move.actor === 'admin'
      ? { action: move.action, actor: move.by, details: move.note }
      : { action: 'settled', actor: move.by, details: describeRefund(move.ruling.refund, currency) },
  async record(tx, payment, { actor, by }) {
    if (actor === 'parties') return endCase(tx, payment, { ending: 'settled' })
    await recordAdminStep(tx, payment)
    await endCase(tx, payment, { ending: 'ruled', ruledBy: by })
  },
  postings: (payment, { ruling }) => [rulingPosting(payment, ruling)],
  payoutCents: (_, { ruling }) => ruling.payout,
  notifications: (payment, { actor, ruling }) =>
    (actor === 'admin' ? disputeRuled : disputeSettled)(payment, ruling),
}

export const moveEffects: { [Name in MoveName]: MoveEffects<Inputs[Name]> } = {
  wait: {
    columns: ({ submittedAt }, { method, waitsFor }, { now }) => ({
      method,
      waitsFor,
      waitingUntil: waitEnd(method, waitsFor, now),
      submittedAt: submittedAt ?? now,
    }),
    request: 'reserved',
    notifications: (payment) => paymentWaiting(payment),
  },

  stop_waiting: {
    // The bank may still send the money of an expired payment, so it stays submitted.
    columns: ({ waitsFor }, { cause }) =>
      cause === 'expired' && waitsFor === 'bank' ? {} : { submittedAt: null, method: null },
    request: 'open',
    notifications: (payment, { cause }, { now }) => paymentNotArrived(payment, cause, now),
  },

  hold: {
    columns: (payment, move, tx) => ({
      ...charged(payment, move, tx),
      payoutWaitsUntil: move.payoutWaitsUntil,
    }),
    postings: (payment) => [holdPosting(payment)],
    request: 'reserved',
    notifications: (payment) => paymentHeld(payment),
  },

  return_duplicate: {
    columns: charged,
    refundCents: ({ amount }) => amount,
    postings: (payment) => [holdPosting(payment), duplicatePosting(payment)],
    notifications: (payment) => paymentDuplicate(payment),
  },

  return_mischarge: {
    columns: (payment, move, tx) => ({
      ...charged(payment, move, tx),
      mischargedCents: move.received.cents,
      mischargedCurrency: move.received.currency,
    }),
    refundCents: (_, { received }) => received.cents,
    postings: (payment, { received: { cents, currency } }) => [
      mischargePosting({ ...payment, mischargedCurrency: currency }, cents),
    ],
    notifications: (payment, { admins }) => [
      ...paymentMischarged(payment),
      ...mischargeFound(payment, admins),
    ],
  },

  ship: {
    wrongActor: 'not_the_seller',
    wrongState: 'not_shippable',
    // Shipping the parcel ends the buyer's request to cancel.
    columns: ({ shipmentPhoto }, { shipment: { carrier, trackingNumber, note, photo } }) => ({
      carrier,
      trackingNumber,
      shipmentNote: note,
      shipmentPhoto: photo ?? shipmentPhoto,
      cancelRequestedAt: null,
      cancelReason: null,
    }),
    notifications: (payment, { shipment }) => parcelShipped(payment, shipment),
  },

  deliver: {
    wrongActor: 'not_the_seller',
    columns: ({ deliveryProof }, { proof }) => ({ deliveryProof: proof ?? deliveryProof }),
    notifications: (payment, { actor }) => parcelDelivered(payment, actor),
  },

  hand_over: {
    ...released,
    wrongActor: 'not_the_seller',
    notifications: (payment) => [...notificationsOfConfirmed(payment), ...handedOver(payment)],
  },

  cancel: {
    wrongState: 'not_cancellable',
    columns({ cancelRequestedAt, cancelReason }, { actor, reason }) {
      // If the seller agrees to the buyer's request, the buyer counts as the one who cancelled.
      const isAgreed = actor === 'seller' && cancelRequestedAt !== null
      return {
        cancelledBy: isAgreed ? 'buyer' : actor,
        cancelReason: isAgreed ? cancelReason : reason,
        cancelledLate: actor !== 'seller',
      }
    },
    refundCents: inEscrow,
    async record(tx, payment) {
      await reportCancellations(tx, payment.sellerId)
      await oweCancellationFee(tx, payment)
      await enqueueOwedPayouts(tx, payment.sellerId)
    },
    postings: (payment) => [cancellationPosting(payment)],
    request: 'open',
    notifications: (payment, { actor }) =>
      actor === 'clock' ? dealExpired(payment) : dealCancelled(payment, actor),
  },

  confirm: {
    ...released,
    notifications: notificationsOfConfirmed,
  },

  lapse: {
    ...released,
    notifications: (payment) => fundsReleased(payment, released.payoutCents(payment), 'clock'),
  },

  dispute: {
    columns: async (payment, { actor, reason }, tx) => ({
      disputeReason: reason,
      disputeWords: await composeSearchWords(tx, { ...payment, disputeReason: reason }),
      bankDecides: actor === 'provider',
    }),
    // A chargeback is on the timeline already, even if it opens no dispute.
    timeline: ({ buyerId }, { actor, reason }) =>
      actor === 'provider' ? null : { action: 'filed', actor: buyerId, details: reason },
    record: (tx, { id }, move) => openCase(tx, id, move),
    notifications: (payment, { actor }, { entryId, now }) =>
      actor === 'provider' ? chargeback(payment, now) : disputeFiled(payment, requireEntry(entryId)),
  },

  review: {
    timeline: (_, { action, by, note }) => ({ action, actor: by, details: note }),
    record: recordAdminStep,
    notifications: (payment, { action }, { now }) =>
      (action === 'under_review' ? disputeReviewed : moreInfoAsked)(payment, now),
  },

  withdraw: {
    columns: noSettlement,
    timeline: ({ buyerId }) => ({ action: 'withdrawn', actor: buyerId }),
    record: (tx, payment) => endCase(tx, payment, { ending: 'withdrawn' }),
    notifications: (payment, _, { entryId }) => disputeWithdrawn(payment, requireEntry(entryId)),
  },

  resume: {
    columns: noSettlement,
    record: (tx, payment) => endCase(tx, payment, { ending: 'bank' }),
    notifications: (payment, _, { now }) => chargebackClosed(payment, now),
  },

  reimburse: {
    columns: ({ amount }, _, { now }) => ({
      ...noSettlement(),
      refundCents: amount,
      refundedAt: now,
    }),
    record: (tx, payment) => endCase(tx, payment, { ending: 'bank' }),
    request: 'open',
    notifications: (payment, { cause }) =>
      cause === 'chargeback'
        ? disputeRuled(payment, { refund: payment.amount, payout: 0 })
        : paymentRefunded(payment, payment.amount, 'all'),
  },

  refund: { ...ended, request: 'open' },
  release: { ...ended, request: 'fulfilled' },
  divide: { ...ended, request: 'fulfilled' },
}

function requireEntry(id: number | null): number {
  if (id === null) throw new Error('this move needs a timeline entry')
  return id
}
