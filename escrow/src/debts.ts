import { calculatePart, type Rounding, roundDown } from './amount.ts'

/** Why a user owes the market money (ADR 90). */
export const DEBT_REASONS = [
  /** The provider's fee of a deal that the seller cancelled, or did not ship in time. */
  'cancellation',
  'chargeback',
  'refund',
] as const

export type DebtReason = (typeof DEBT_REASONS)[number]

interface OpenDebt {
  amount: number
  settled: number
}

/**
 * How much of an amount settles each debt, in the given order, in multiples of the currency's step. Debts that get
 * nothing are left out.
 */
export function settleDebts<Debt extends OpenDebt>(
  available: number,
  debts: Debt[],
  { step }: Rounding,
): { debt: Debt; taken: number }[] {
  let rest = available
  return debts.flatMap((debt) => {
    const taken = roundDown(Math.min(rest, debt.amount - debt.settled), step)
    rest -= taken
    return taken > 0 ? { debt, taken } : []
  })
}

/** What cost the market money after the seller was paid: the provider's chargeback, or a refund. */
export interface LossCause {
  reason: 'chargeback' | 'refund'
  /** The provider's id of the chargeback or refund, or ours of a refund that we made. */
  causeId: string
}

/** Our name for a refund that the seller or the team made after the release. */
export const releasedRefundCause = (refundId: number): LossCause => ({
  reason: 'refund',
  causeId: `refund-${refundId}`,
})

interface BookedEntry {
  key: string
  account: string
  amount: number
}

type Included = (entry: BookedEntry) => boolean

const sumOf = (entries: BookedEntry[], isIncluded: Included) =>
  entries.filter(isIncluded).reduce((total, { amount }) => total + amount, 0)

/** What the seller was paid for a deal and has neither given back nor owes, from all ledger entries of the payment. */
export function findKept(entries: BookedEntry[]): number {
  const isPaid: Included = ({ key, account }) =>
    account.startsWith('seller:') && /^(payout|payout-undone|reversal):/.test(key)
  const isTakenBack: Included = ({ key, account }) =>
    account.startsWith('losses:') && /^(chargeback|refund)-reversal:/.test(key)
  // A payout that settled another debt was kept as well. Debts of this deal are what the seller gives back.
  const isOwed: Included = ({ key, account }) =>
    account.startsWith('debt:') && !key.startsWith('debt-given-up:')
  return sumOf(entries, isOwed) - sumOf(entries, isPaid) - sumOf(entries, isTakenBack)
}

/** What a bank has decided about a chargeback. A refund counts as lost, and the ledger has what it cost. */
export type Decision =
  | { outcome: 'open'; disputed: number }
  | { outcome: 'won' }
  | { outcome: 'lost'; lost: number }

/**
 * What a loss still costs the market, from all ledger entries of the payment. Negative if more was taken back than it
 * cost. What the bank took is given, because it is not booked by chargeback.
 */
export function findLoss(entries: BookedEntry[], { reason, causeId }: LossCause, lost: number): number {
  const account = reason === 'chargeback' ? 'losses:chargebacks' : 'losses:refunds'
  return lost - sumOf(entries, (it) => it.account === account && it.key.endsWith(`:${causeId}`))
}

/**
 * What the seller has to give back for a loss, at most what they have kept of the deal, in multiples of the currency's
 * step. While a bank decides, a refund that the buyer is still owed covers its part of the chargeback.
 */
export function findCollectable(
  entries: BookedEntry[],
  cause: LossCause,
  decision: Decision,
  owedRefund: number,
  { step }: Rounding,
): number {
  const cost = costOf(entries, cause, decision, owedRefund)
  return Math.max(0, roundDown(Math.min(cost, findKept(entries)), step))
}

function costOf(entries: BookedEntry[], cause: LossCause, decision: Decision, owedRefund: number) {
  switch (decision.outcome) {
    case 'open':
      return decision.disputed - owedRefund
    case 'won':
      return 0
    case 'lost':
      return findLoss(entries, cause, decision.lost)
  }
}

/** How a price was divided at the release. */
export interface Released {
  seller: number
  platformFee: number
  processingFee: number
}

/**
 * Who bears a refund after the release: everybody in proportion to what they got of the price. Calculated from the sum
 * of all refunds, so that several give the same as one.
 */
export function shareRefund(
  released: Released,
  refunded: number,
  refund: number,
  rounding: Rounding,
): Released {
  const before = sharesOf(released, refunded, rounding)
  const after = sharesOf(released, refunded + refund, rounding)
  return {
    seller: after.seller - before.seller,
    platformFee: after.platformFee - before.platformFee,
    processingFee: after.processingFee - before.processingFee,
  }
}

/** The fees are rounded down, so the seller bears the rest. */
function sharesOf(
  { seller, platformFee, processingFee }: Released,
  refund: number,
  { step }: Rounding,
): Released {
  const allFees = platformFee + processingFee
  const fees = calculatePart(allFees, refund, seller + allFees, step)
  const platform = calculatePart(platformFee, fees, allFees, step)
  return { seller: refund - fees, platformFee: platform, processingFee: fees - platform }
}
