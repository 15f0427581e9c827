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

/**
 * What the seller still owes for a loss, at most what they have kept of the deal, from all ledger entries of the
 * payment. `undecided` are chargebacks in which the bank holds money and that are not decided yet.
 */
export function findOwedForLoss(
  entries: BookedEntry[],
  cause: LossCause,
  undecided: { id: string; cents: number }[],
): number {
  // What was reversed for them covers no other loss, because it is returned if they are won.
  const undecidedKeys = new Set(undecided.map(({ id }) => `chargeback-reversal:${id}`))
  const undecidedCents = undecided.reduce((total, { cents }) => total + cents, 0)
  const { reason, causeId } = cause
  const isLost: Included =
    reason === 'chargeback'
      ? ({ account, key }) => account === 'losses:chargebacks' && !undecidedKeys.has(key)
      : ({ account, key }) => account === 'losses:refunds' && key.endsWith(`:${causeId}`)
  const lossCents = -sumOf(entries, isLost) - (reason === 'chargeback' ? undecidedCents : 0)
  return Math.max(0, Math.min(lossCents, findKept(entries)))
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
