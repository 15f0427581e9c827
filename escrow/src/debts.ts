/** Why a user owes the market money (ADR 90). */
export const DEBT_REASONS = [
  /** The provider's fee of a deal that the seller cancelled, or did not ship in time. */
  'cancellation',
  'chargeback',
  'refund',
] as const

export type DebtReason = (typeof DEBT_REASONS)[number]

interface OpenDebt {
  amountCents: number
  settledCents: number
}

/** How much of an amount settles each debt, in the given order. Debts that get nothing are left out. */
export function settleDebts<Debt extends OpenDebt>(
  availableCents: number,
  debts: Debt[],
): { debt: Debt; cents: number }[] {
  let rest = availableCents
  return debts.flatMap((debt) => {
    const cents = Math.min(rest, debt.amountCents - debt.settledCents)
    rest -= cents
    return cents > 0 ? { debt, cents } : []
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
  amountCents: number
}

type Included = (entry: BookedEntry) => boolean

const sumOf = (entries: BookedEntry[], isIncluded: Included) =>
  entries.filter(isIncluded).reduce((total, { amountCents }) => total + amountCents, 0)

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
  | { outcome: 'open'; disputedCents: number }
  | { outcome: 'won' }
  | { outcome: 'lost'; lostCents: number }

/**
 * What a loss still costs the market, from all ledger entries of the payment. Negative if more was taken back than it
 * cost. What the bank took is given, because it is not booked by chargeback.
 */
export function findLoss(entries: BookedEntry[], { reason, causeId }: LossCause, lostCents: number): number {
  const account = reason === 'chargeback' ? 'losses:chargebacks' : 'losses:refunds'
  return lostCents - sumOf(entries, (it) => it.account === account && it.key.endsWith(`:${causeId}`))
}

/**
 * What the seller has to give back for a loss, at most what they have kept of the deal. While a bank decides, a refund
 * that the buyer is still owed covers its part of the chargeback.
 */
export function findCollectable(
  entries: BookedEntry[],
  cause: LossCause,
  decision: Decision,
  owedRefundCents: number,
): number {
  return Math.max(0, Math.min(costOf(entries, cause, decision, owedRefundCents), findKept(entries)))
}

function costOf(entries: BookedEntry[], cause: LossCause, decision: Decision, owedRefundCents: number) {
  switch (decision.outcome) {
    case 'open':
      return decision.disputedCents - owedRefundCents
    case 'won':
      return 0
    case 'lost':
      return findLoss(entries, cause, decision.lostCents)
  }
}

/** How a price was divided at the release. */
export interface Released {
  sellerCents: number
  platformCents: number
  processingCents: number
}

/**
 * Who bears a refund after the release: everybody in proportion to what they got of the price. Calculated from the sum
 * of all refunds, so that several give the same as one.
 */
export function shareRefund(released: Released, refundedCents: number, refundCents: number): Released {
  const [before, after] = [refundedCents, refundedCents + refundCents].map((cents) =>
    sharesOf(released, cents),
  )
  if (!before || !after) throw new Error('there are two sums')
  return {
    sellerCents: after.sellerCents - before.sellerCents,
    platformCents: after.platformCents - before.platformCents,
    processingCents: after.processingCents - before.processingCents,
  }
}

/** The fees are rounded down, so the seller bears an odd cent. */
function sharesOf({ sellerCents, platformCents, processingCents }: Released, refundCents: number): Released {
  const feeCents = platformCents + processingCents
  const fees = calculatePart(feeCents, refundCents, sellerCents + feeCents)
  const platform = calculatePart(platformCents, fees, feeCents)
  return { sellerCents: refundCents - fees, platformCents: platform, processingCents: fees - platform }
}

/** `of * part / whole`, rounded down. The product can exceed the exact integers of a number. */
const calculatePart = (of: number, part: number, whole: number) =>
  whole === 0 ? 0 : Number((BigInt(of) * BigInt(part)) / BigInt(whole))
