import type { Receipt, StatementAmounts, StatementLineKind } from '@sought/contract/documents'

/*
 * How postings of the ledger appear on a receipt and on a statement (ADR 40). The part of a posting's key
 * before the first colon is its kind.
 */

/** An entry of a posting, with the payment it belongs to. */
export interface LedgerEntry {
  id: number
  key: string
  paymentId: number
  account: string
  amount: number
  at: Date
}

/** All entries of a key. */
export interface BookedPosting {
  /** The id of the first entry. */
  id: number
  name: string
  paymentId: number
  at: Date
  /** 0 if the posting has no entry for the account. */
  amountOf(account: string): number
}

/** Groups entries by key, in the order of their first entry. */
export function groupPostings(entries: LedgerEntry[]): BookedPosting[] {
  return [...Map.groupBy(entries, ({ key }) => key).values()].map((parts) => {
    const [{ id, key, paymentId, at }] = parts as [LedgerEntry]
    return {
      id,
      name: key.slice(0, key.indexOf(':')),
      paymentId,
      at,
      amountOf: (account) => parts.find((it) => it.account === account)?.amount ?? 0,
    }
  })
}

type ReturnKind = Receipt['returns'][number]['kind']

/** The names for money that the card provider returned to the buyer, and for money that it took back. */
const returnKinds = new Map<string, { returned: ReturnKind; takenBack: ReturnKind }>([
  ['refund', { returned: 'refund', takenBack: 'refund_failed' }],
  ['refund-paid', { returned: 'refund', takenBack: 'refund_failed' }],
  ['dashboard-refund', { returned: 'refund', takenBack: 'refund_failed' }],
  ['refund-failed', { returned: 'refund', takenBack: 'refund_failed' }],
  ['chargeback', { returned: 'chargeback', takenBack: 'chargeback_won' }],
])

/**
 * The amounts that were returned to the buyer or taken back. Leaves out postings that only move a loss between
 * our accounts.
 */
export function readReturns(postings: BookedPosting[]) {
  return postings.flatMap(({ id, name, at, amountOf }) => {
    const kinds = returnKinds.get(name)
    const amount = amountOf('provider')
    if (!kinds || amount === 0) return []
    return { id, at, kind: amount > 0 ? kinds.returned : kinds.takenBack, amount }
  })
}

/** When the buyer paid, and how much. Undefined if they have not paid. */
export function readPrice(postings: BookedPosting[]) {
  const hold = postings.find(({ name }) => name === 'hold')
  return hold && { paidAt: hold.at, price: -hold.amountOf('provider') }
}

/** How the price was divided when it left escrow. Null if nothing remained for the seller. */
export function readRelease(postings: BookedPosting[], sellerId: string): Release | null {
  const posting = postings.find(({ name }) => name === 'release' || name === 'ruling')
  if (!posting) return null
  const { at, amountOf } = posting
  const release = {
    at,
    platformFee: amountOf('fees:platform'),
    processingFee: amountOf('fees:processing'),
    toSeller: amountOf(`seller:${sellerId}`),
  }
  return release.platformFee + release.processingFee + release.toSeller === 0 ? null : release
}

type Release = Omit<NonNullable<Receipt['release']>, 'at'> & { at: Date }

const lineKinds = new Map<string, StatementLineKind>([
  ['release', 'sale'],
  ['ruling', 'dispute_ruling'],
  ['duplicate', 'refund'],
  ['dashboard-refund', 'refund'],
  ['refund-failed', 'refund_failed'],
  ['chargeback-lost', 'chargeback'],
  ['chargeback-reversal', 'chargeback'],
  ['chargeback-restored', 'chargeback_won'],
  ['payout', 'payout'],
  ['payout-undone', 'payout_undone'],
  ['reversal', 'payout_reversed'],
  ['debt-cancellation', 'cancellation_fee'],
  ['debt-chargeback', 'chargeback'],
  ['debt-refund', 'refund'],
  ['released-refund', 'refund'],
  ['refund-reversal', 'refund'],
  ['goodwill', 'goodwill'],
  ['goodwill-paid', 'goodwill_paid'],
])

/** Postings that pay the seller, or take a payout back. */
const payoutPostings = new Set([
  'payout',
  'payout-undone',
  'reversal',
  'chargeback-reversal',
  'refund-reversal',
  'goodwill-paid',
])
const goodwillPostings = new Set(['goodwill', 'goodwill-paid'])

export interface PostedLine extends StatementAmounts {
  id: number
  kind: StatementLineKind
  paymentId: number
  at: Date
}

/**
 * The line of a posting on a seller's statement. Undefined for the hold, and for postings without money of the
 * price or of the seller. All money of the price that is neither a fee nor a payout went back to the buyer, so
 * the columns of each line add up.
 */
export function readLine(posting: BookedPosting, sellerId: string): PostedLine | undefined {
  const { id, name, paymentId, at, amountOf } = posting
  const balance = amountOf(`seller:${sellerId}`)
  // Goodwill for the buyer does not concern the seller.
  if (goodwillPostings.has(name) && balance === 0) return undefined
  const amount = name === 'goodwill' ? balance : 0 - amountOf(`escrow:${paymentId}`)
  const platformFee = amountOf('fees:platform')
  // What was taken from a payout for the fee of a cancelled deal. Other debts are refunds.
  const cancellationFee = name === 'debt-cancellation' ? amountOf(`debt:${sellerId}`) : 0
  const processingFee = amountOf('fees:processing') + cancellationFee
  const payout = payoutPostings.has(name) ? amountOf('provider') : 0
  const isEmpty = [amount, payout, balance, platformFee, processingFee].every((cents) => cents === 0)
  if (name === 'hold' || isEmpty) return undefined
  const refund = amount - platformFee - processingFee - payout - balance
  const kind = lineKinds.get(name) ?? 'adjustment'
  return { id, kind, paymentId, at, amount, refund, platformFee, processingFee, payout, balance }
}

/** The sums of all columns. */
export function addUp(lines: StatementAmounts[]): StatementAmounts {
  const sum = (column: keyof StatementAmounts) => lines.reduce((total, line) => total + line[column], 0)
  return {
    amount: sum('amount'),
    refund: sum('refund'),
    platformFee: sum('platformFee'),
    processingFee: sum('processingFee'),
    payout: sum('payout'),
    balance: sum('balance'),
  }
}
