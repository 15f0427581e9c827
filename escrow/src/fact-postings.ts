import type { PaymentStatus } from './payment-status.ts'
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
import { type FactName, isInEscrow, type Step } from './provider-facts.ts'

/** The fields of a payment that a fact changes in the ledger. */
export interface ReportedPayment extends PostedPayment {
  status: PaymentStatus
  /** The refund that a ruling decided, and when it was made. */
  refundCents: number | null
  refundedAt: Date | null
  refundAttempt: number
}

export interface ReportedFact {
  name: FactName
  /** The provider's id of the refund, dispute or reversal. */
  objectId: string
  cents: number
  /** For a refund: whether we made it. */
  ours?: boolean
}

/**
 * Says what covers money that left our balance without our doing: first a refund that we owe, then escrow, then an
 * unpaid payout.
 */
export function coverOf(
  payment: ReportedPayment,
  payoutDueCents: number,
  { cents }: Pick<ReportedFact, 'cents'>,
  steps: readonly Step[],
): Cover {
  let rest = cents
  const take = (step: Step, available: number) => {
    const taken = steps.includes(step) ? Math.min(rest, available) : 0
    rest -= taken
    return taken
  }
  return {
    refundCents: take('count_as_refund', payment.refundedAt ? 0 : (payment.refundCents ?? 0)),
    escrowCents: take('return_from_escrow', inEscrow(payment)),
    payoutCents: take('take_from_payout', payoutDueCents),
  }
}

/** The postings of a fact. Amounts that the bank takes and returns are booked by the provider's transactions. */
export function factPostings(payment: ReportedPayment, fact: ReportedFact, cover: Cover): Posting[] {
  const { name, objectId, cents } = fact
  switch (name) {
    case 'refunded':
      return [dashboardRefundPosting(payment, objectId, cents, cover)]
    case 'refund_made':
      // The part that we no longer owed is booked like a refund in the dashboard.
      return cover.refundCents === cents
        ? [refundPosting(payment, cents, payment.refundAttempt)]
        : [dashboardRefundPosting(payment, objectId, cents, cover)]
    case 'refund_failed':
      return [refundFailedPosting(payment, objectId, cents, isInEscrow(payment.status) ? 'escrow' : 'buyer')]
    case 'dispute_lost':
      return [chargebackLostPosting(payment, objectId, cover)]
    case 'transfer_reversed':
      return [reversalPosting(payment, objectId, cents)]
    case 'inquiry_opened':
    case 'inquiry_closed':
    case 'dispute_opened':
    case 'dispute_won':
    case 'dispute_prevented':
      return []
  }
}
