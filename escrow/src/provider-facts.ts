import { isInDispute, isInEscrow } from './moves.ts'
import type { PaymentStatus } from './payment-status.ts'
import type { PayoutStatus } from './payout-status.ts'
import {
  type Cover,
  chargebackLostPosting,
  dashboardRefundPosting,
  inEscrow,
  type PostedPayment,
  type Posting,
  refundFailedPosting,
  refundPosting,
  reversalPosting,
} from './postings.ts'

/*
 * The card provider's reports about a charged payment: their meaning in each situation, and what they post. The server
 * reads the charge from the provider and applies everything new, so reports may be late, repeated or lost.
 */

export const FACTS = [
  /** A refund that we did not make, from the provider's dashboard. */
  'refunded',
  /** A refund that we made. */
  'refund_made',
  /** A refund did not reach the buyer, and the provider returned the money to us. */
  'refund_failed',
  /** The bank asks questions. No money has moved. */
  'inquiry_opened',
  /** The bank has taken the disputed amount from us. */
  'dispute_opened',
  'inquiry_closed',
  /** The bank has returned the disputed amount to us. */
  'dispute_won',
  'dispute_prevented',
  /** The buyer keeps the disputed amount. */
  'dispute_lost',
  /** A transfer to the seller was reversed in the provider's dashboard. */
  'transfer_reversed',
] as const

export type FactName = (typeof FACTS)[number]

/** How a bank's inquiry or chargeback ends. A prevented chargeback ended before the bank decided. */
export const CHARGEBACK_OUTCOMES = ['open', 'won', 'lost', 'closed', 'prevented'] as const

export type ChargebackOutcome = (typeof CHARGEBACK_OUTCOMES)[number]

/** Why a charge may be fraud: its bank warns, or a rule of the provider requires a review. No money moves. */
export const FRAUD_SIGNAL_KINDS = ['fraud_warning', 'review'] as const

export type FraudSignalKind = (typeof FRAUD_SIGNAL_KINDS)[number]

/** Where the money of a charged payment is. */
export const SITUATIONS = [
  /** In escrow. */
  'held',
  /** In escrow, in dispute. */
  'disputed',
  /** Released, and still to be sent to the seller. */
  'owed',
  /** Released, and a transfer to the seller is in progress. */
  'sending',
  /** Released, and frozen while a bank decides. */
  'frozen',
  /** Released and sent, then taken back as far as possible while a bank decides. */
  'taken_back',
  /** Released and sent. */
  'paid',
  /**
   * Released and sent, then reversed in the provider's dashboard. The seller is owed it, but only an admin can send
   * it.
   */
  'reversed',
  /** Nothing is left for the seller. */
  'settled',
] as const

export type Situation = (typeof SITUATIONS)[number]

/** The steps to take, in this order. */
export type Step =
  /** Try again later: a transfer must finish first. */
  | 'wait'
  /** The money leaves escrow. If nothing is left there, the payment is resolved for the buyer. */
  | 'return_from_escrow'
  /** The money goes back into escrow. */
  | 'put_back_into_escrow'
  /** The money comes from the unpaid payout, which is reduced. */
  | 'take_from_payout'
  /** The refund that we still owe counts as made. */
  | 'count_as_refund'
  /** The uncovered part is a loss of the platform. */
  | 'book_loss'
  /** The seller owes the uncovered part, as far as they were paid. It is taken back from their transfer first. */
  | 'collect_loss'
  /** The buyer is owed the money again. An admin decides how. */
  | 'owe_refund'
  /** The payment becomes disputed, and the bank decides. */
  | 'open_dispute'
  /** While the bank decides, nobody else may decide about the payment. */
  | 'await_bank'
  /** The bank no longer decides. A dispute that it opened ends. */
  | 'resume'
  | 'freeze_payout'
  | 'unfreeze_payout'
  /** Reverse the transfer up to the balance of the seller's account. */
  | 'reverse_transfer'
  /** What was reversed while the bank decided is final as far as it is lost, and otherwise owed to the seller again. */
  | 'settle_taken_back'
  /** The reversed amount is owed to the seller, but is not sent automatically. */
  | 'book_reversal'

type Meaning = readonly Step[]

/** The bank returned the amount that it had taken. */
const MONEY_RETURNED: Record<Situation, Meaning> = {
  held: [],
  disputed: ['resume'],
  owed: ['resume'],
  sending: ['wait'],
  frozen: ['resume', 'unfreeze_payout'],
  taken_back: ['resume', 'settle_taken_back', 'unfreeze_payout'],
  paid: ['resume'],
  reversed: ['resume'],
  settled: ['resume'],
}

/** The only place that defines the meaning of reports. Amounts that the bank takes and returns are always booked. */
export const MEANINGS: Record<FactName, Record<Situation, Meaning>> = {
  refunded: {
    held: ['return_from_escrow'],
    disputed: ['return_from_escrow'],
    owed: ['count_as_refund', 'take_from_payout', 'collect_loss'],
    sending: ['wait'],
    frozen: ['count_as_refund', 'take_from_payout', 'collect_loss'],
    taken_back: ['count_as_refund', 'collect_loss'],
    paid: ['count_as_refund', 'collect_loss'],
    reversed: ['count_as_refund', 'take_from_payout', 'collect_loss'],
    settled: ['count_as_refund', 'collect_loss'],
  },
  refund_made: {
    held: ['return_from_escrow'],
    disputed: ['return_from_escrow'],
    owed: ['count_as_refund', 'book_loss'],
    sending: ['count_as_refund', 'book_loss'],
    frozen: ['count_as_refund', 'book_loss'],
    taken_back: ['count_as_refund', 'book_loss'],
    paid: ['count_as_refund', 'book_loss'],
    reversed: ['count_as_refund', 'book_loss'],
    settled: ['count_as_refund', 'book_loss'],
  },
  refund_failed: {
    held: ['put_back_into_escrow'],
    disputed: ['put_back_into_escrow'],
    owed: ['owe_refund'],
    sending: ['owe_refund'],
    frozen: ['owe_refund'],
    taken_back: ['owe_refund'],
    paid: ['owe_refund'],
    reversed: ['owe_refund'],
    settled: ['owe_refund'],
  },
  inquiry_opened: {
    held: ['open_dispute'],
    disputed: ['await_bank'],
    owed: ['await_bank', 'freeze_payout'],
    sending: ['wait'],
    frozen: ['await_bank'],
    taken_back: ['await_bank'],
    paid: ['await_bank'],
    reversed: ['await_bank'],
    settled: ['await_bank'],
  },
  dispute_opened: {
    held: ['open_dispute'],
    disputed: ['await_bank'],
    owed: ['await_bank', 'freeze_payout'],
    sending: ['wait'],
    frozen: ['await_bank'],
    taken_back: ['await_bank'],
    paid: ['await_bank', 'reverse_transfer'],
    reversed: ['await_bank'],
    settled: ['await_bank'],
  },
  inquiry_closed: {
    held: [],
    disputed: ['resume'],
    owed: ['resume'],
    sending: ['resume'],
    frozen: ['resume', 'unfreeze_payout'],
    taken_back: ['resume', 'unfreeze_payout'],
    paid: ['resume'],
    reversed: ['resume'],
    settled: ['resume'],
  },
  dispute_won: MONEY_RETURNED,
  dispute_prevented: MONEY_RETURNED,
  dispute_lost: {
    held: ['return_from_escrow'],
    disputed: ['return_from_escrow', 'resume'],
    owed: ['count_as_refund', 'take_from_payout', 'resume', 'collect_loss'],
    sending: ['wait'],
    frozen: ['count_as_refund', 'take_from_payout', 'resume', 'unfreeze_payout', 'collect_loss'],
    taken_back: ['count_as_refund', 'resume', 'settle_taken_back', 'unfreeze_payout', 'collect_loss'],
    paid: ['count_as_refund', 'resume', 'collect_loss'],
    reversed: ['count_as_refund', 'take_from_payout', 'resume', 'collect_loss'],
    settled: ['count_as_refund', 'resume', 'collect_loss'],
  },
  transfer_reversed: {
    held: [],
    disputed: [],
    owed: ['book_reversal'],
    sending: ['wait'],
    frozen: ['wait'],
    taken_back: ['wait'],
    paid: ['book_reversal'],
    reversed: ['book_reversal'],
    settled: [],
  },
}

/** Null for a payment that was not charged yet. */
export function situationOf(
  status: PaymentStatus,
  payout: { status: PayoutStatus; paidAt: Date | null } | undefined,
): Situation | null {
  if (status === 'pending') return null
  if (isInEscrow(status)) return isInDispute(status) ? 'disputed' : 'held'
  switch (payout?.status) {
    case 'owed':
    case 'sending':
    case 'paid':
    case 'reversed':
      return payout.status
    case 'frozen':
      return payout.paidAt ? 'taken_back' : 'frozen'
    case 'cancelled':
    case undefined:
      return 'settled'
  }
}

/** The fields of a payment that a fact changes in the ledger. */
export interface ReportedPayment extends PostedPayment {
  status: PaymentStatus
  /** The refund that a ruling decided, and when it was made. */
  refund: number | null
  refundedAt: Date | null
  refundAttempt: number
}

export interface ReportedFact {
  name: FactName
  /** The provider's id of the refund, dispute or reversal. */
  objectId: string
  amount: number
  /** For a refund: true if our code made it, false if an admin made it in the provider's dashboard. */
  ours?: boolean
}

/**
 * Determines what covers money that a chargeback or a refund in the dashboard took from our balance: first a refund
 * that we owe, then escrow, then an unpaid payout.
 */
export function coverOf(
  payment: ReportedPayment,
  payoutDue: number,
  { amount }: Pick<ReportedFact, 'amount'>,
  steps: readonly Step[],
): Cover {
  let rest = amount
  const take = (step: Step, available: number) => {
    const taken = steps.includes(step) ? Math.min(rest, available) : 0
    rest -= taken
    return taken
  }
  return {
    refund: take('count_as_refund', payment.refundedAt ? 0 : (payment.refund ?? 0)),
    escrow: take('return_from_escrow', inEscrow(payment)),
    payout: take('take_from_payout', payoutDue),
  }
}

/**
 * The postings of a fact. Amounts that the bank takes and returns are booked with the provider's balance
 * transactions.
 */
export function factPostings(payment: ReportedPayment, fact: ReportedFact, cover: Cover): Posting[] {
  const { name, objectId, amount } = fact
  switch (name) {
    case 'refunded':
      return [dashboardRefundPosting(payment, objectId, amount, cover)]
    case 'refund_made':
      // The part of the refund that we no longer owed is booked like a refund in the dashboard.
      return cover.refund === amount
        ? [refundPosting(payment, amount, payment.refundAttempt)]
        : [dashboardRefundPosting(payment, objectId, amount, cover)]
    case 'refund_failed':
      return [refundFailedPosting(payment, objectId, amount, isInEscrow(payment.status) ? 'escrow' : 'buyer')]
    case 'dispute_lost':
      return [chargebackLostPosting(payment, objectId, cover)]
    case 'transfer_reversed':
      return [reversalPosting(payment, objectId, amount)]
    case 'inquiry_opened':
    case 'inquiry_closed':
    case 'dispute_opened':
    case 'dispute_won':
    case 'dispute_prevented':
      return []
  }
}
