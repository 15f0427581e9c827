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

/**
 * What the seller still owes for a loss, at most what they have kept of the deal, from all ledger entries of the
 * payment. `undecided` are chargebacks in which the bank holds money and that are not decided yet.
 */
export function findOwedForLoss(
  entries: BookedEntry[],
  cause: LossCause,
  undecided: { id: string; amount: number }[],
): number {
  // What was reversed for them covers no other loss, because it is returned if they are won.
  const undecidedKeys = new Set(undecided.map(({ id }) => `chargeback-reversal:${id}`))
  const undecidedAmount = undecided.reduce((total, { amount }) => total + amount, 0)
  const { reason, causeId } = cause
  const isLost: Included =
    reason === 'chargeback'
      ? ({ account, key }) => account === 'losses:chargebacks' && !undecidedKeys.has(key)
      : ({ account, key }) => account === 'losses:refunds' && key.endsWith(`:${causeId}`)
  const loss = -sumOf(entries, isLost) - (reason === 'chargeback' ? undecidedAmount : 0)
  return Math.max(0, Math.min(loss, findKept(entries)))
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
