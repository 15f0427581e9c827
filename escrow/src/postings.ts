import { type Rounding, roundDown } from './amount.ts'
import type { Conversion } from './conversion.ts'
import type { DebtReason, LossCause, Released } from './debts.ts'
import { calculateFees, type FeeRates } from './fees.ts'
import type { Ruling } from './rulings.ts'

/*
 * The ledger entries of each step of a payment (ADR 26). The entries of a posting sum to zero in each currency. Its key is
 * built from our ids or the provider's, so repeating a step repeats the key, and the database stores it only once.
 */

export interface Entry {
  account: string
  amount: number
  /** In lower case, such as `usd`. The payment's, unless given. */
  currency?: string
}

export interface Posting {
  key: string
  paymentId: number
  entries: Entry[]
}

export interface PostedPayment {
  id: number
  buyerId: string
  sellerId: string
  amount: number
  /** The part of the amount that left escrow early, by a refund in the dashboard or a lost chargeback. */
  returned: number
  /** The currency of all money of the payment, if the card was not charged in the agreed one. */
  mischargedCurrency?: string | null
}

const provider = 'provider'
const PROVIDER_FEES = 'fees:provider'
const LOSSES_CHARGEBACKS = 'losses:chargebacks'
const LOSSES_REFUNDS = 'losses:refunds'
const escrowAccount = (payment: PostedPayment) => `escrow:${payment.id}`
const sellerAccount = ({ sellerId }: { sellerId: string }) => `seller:${sellerId}`
const debtAccount = ({ sellerId }: { sellerId: string }) => `debt:${sellerId}`
const buyerAccount = (payment: { buyerId: string }) => `buyer:${payment.buyerId}`

/** The card was charged: the provider owes us the amount, which is now in escrow. */
export function holdPosting(payment: PostedPayment): Posting {
  return createPosting(`hold:${payment.id}`, payment, [
    { account: provider, amount: -payment.amount },
    { account: escrowAccount(payment), amount: payment.amount },
  ])
}

/**
 * The card was charged something else than agreed: the buyer is owed all of it. The key is the one of a hold, because a
 * payment is charged once.
 */
export function mischargePosting(payment: PostedPayment, received: number): Posting {
  return createPosting(`hold:${payment.id}`, payment, [
    { account: provider, amount: -received },
    { account: buyerAccount(payment), amount: received },
  ])
}

/** Delivery was confirmed or the hold ended: credits the seller with the amount minus the fees. */
export function releasePosting(payment: PostedPayment & FeeRates, rounding: Rounding): Posting {
  return settlementPosting(`release:${payment.id}`, payment, {
    refund: 0,
    ...calculateFees(inEscrow(payment), payment, rounding),
  })
}

interface PostedGoodwill {
  id: number
  paymentId: number
  recipient: 'buyer' | 'seller'
  recipientId: string
  amount: number
}

/** Money that the platform owes to a party of a deal, as goodwill or because a ruling was overturned. */
export function goodwillPosting(goodwill: PostedGoodwill): Posting {
  const { id, paymentId, recipient, recipientId, amount } = goodwill
  return createPosting(`goodwill:${id}`, { id: paymentId }, [
    { account: 'platform:goodwill', amount: -amount },
    { account: `${recipient}:${recipientId}`, amount },
  ])
}

/** An admin paid goodwill outside the provider. As with a manual payout, the platform paid. */
export function goodwillPaidPosting(goodwill: PostedGoodwill): Posting {
  const { id, paymentId, recipient, recipientId, amount } = goodwill
  return createPosting(`goodwill-paid:${id}`, { id: paymentId }, [
    { account: `${recipient}:${recipientId}`, amount: -amount },
    { account: provider, amount },
  ])
}

/** The part of a payment that is in escrow. Fees, payouts and refunds are calculated from it. */
export const inEscrow = ({ amount, returned }: Pick<PostedPayment, 'amount' | 'returned'>) =>
  amount - returned

export function rulingPosting(payment: PostedPayment, ruling: Ruling): Posting {
  return settlementPosting(`ruling:${payment.id}`, payment, ruling)
}

/** The request was already paid: the buyer is owed the whole amount (ADR 49). */
export function duplicatePosting(payment: PostedPayment): Posting {
  return createPosting(`duplicate:${payment.id}`, payment, [
    { account: escrowAccount(payment), amount: -payment.amount },
    { account: buyerAccount(payment), amount: payment.amount },
  ])
}

/** The deal was cancelled: the buyer is owed everything that is still in escrow. */
export function cancellationPosting(payment: PostedPayment): Posting {
  return createPosting(`cancel:${payment.id}`, payment, [
    { account: escrowAccount(payment), amount: -inEscrow(payment) },
    { account: buyerAccount(payment), amount: inEscrow(payment) },
  ])
}

/** The provider has refunded the buyer. Refunding again after a failed refund is a new attempt. */
export function refundPosting(payment: PostedPayment, refund: number, attempt = 0): Posting {
  const key = attempt === 0 ? `refund:${payment.id}` : `refund:${payment.id}:${attempt}`
  return createPosting(key, payment, [
    { account: buyerAccount(payment), amount: -refund },
    { account: provider, amount: refund },
  ])
}

/** A payout to a seller. Paying again after a reversal is a new attempt. */
interface PostedPayout {
  paymentId: number
  sellerId: string
  amount: number
  attempt: number
}

/** The seller has been paid the amount they were credited with. */
export function payoutPosting(payout: PostedPayout): Posting {
  const { paymentId, amount, attempt } = payout
  return createPosting(`payout:${paymentId}:${attempt}`, { id: paymentId }, [
    { account: sellerAccount(payout), amount: -amount },
    { account: provider, amount },
  ])
}

/** Reverses a payout that was marked paid by mistake: the seller is owed the amount again. */
export function payoutReversalPosting(payout: PostedPayout): Posting {
  const { paymentId, amount, attempt } = payout
  return createPosting(`payout-undone:${paymentId}:${attempt}`, { id: paymentId }, [
    { account: provider, amount: -amount },
    { account: sellerAccount(payout), amount },
  ])
}

/** The provider's fee for a charge. */
export interface ChargeFee {
  /** In the payment's currency. */
  amount: number
  /** In the currency in which the provider took it. */
  taken: { amount: number; currency: string }
}

/** The part of a fee that a seller can owe, because debts are taken from payouts in steps. The market bears the rest. */
export function payableFee({ amount, taken }: ChargeFee, currency: string, { step }: Rounding): ChargeFee {
  const payable = roundDown(amount, step)
  return { amount: payable, taken: taken.currency === currency ? { ...taken, amount: payable } : taken }
}

/** The seller bears the provider's fee of a cancelled deal. A debt is negative, because the seller owes it to us. */
export function cancellationFeePosting(
  payment: { id: number; sellerId: string; currency: string },
  { amount, taken }: ChargeFee,
): Posting {
  const { currency } = payment
  const converted: Entry[] = [
    { account: `fx:${currency}`, amount, currency },
    { account: `fx:${taken.currency}`, amount: -taken.amount, currency: taken.currency },
  ]
  return createPosting(`cancellation-fee:${payment.id}`, payment, [
    { account: debtAccount(payment), amount: -amount, currency },
    { account: PROVIDER_FEES, amount: taken.amount, currency: taken.currency },
    ...(taken.currency === currency ? [] : converted),
  ])
}

/** A part of a payout that is not sent yet settles a debt. After a reversal, the same debt may be settled further. */
export function debtTakenPosting(
  payout: Pick<PostedPayout, 'paymentId' | 'sellerId' | 'attempt'>,
  debt: { id: number; reason: DebtReason },
  taken: number,
): Posting {
  const { paymentId, attempt } = payout
  return createPosting(`debt-${debt.reason}:${debt.id}:${paymentId}:${attempt}`, { id: paymentId }, [
    { account: sellerAccount(payout), amount: -taken },
    { account: debtAccount(payout), amount: taken },
  ])
}

/** A fee of the provider, in the currency in which it was taken. */
export interface ProviderFee {
  /** The provider's id of the balance transaction. */
  id: string
  fee: number
  currency: string
}

/** The provider kept a fee for a charge or a dispute. Each of its transactions is booked once. */
export function providerFeePosting(payment: { id: number }, { id, fee, currency }: ProviderFee): Posting {
  return createPosting(`provider-fee:${id}`, payment, [
    { account: provider, amount: fee, currency },
    { account: PROVIDER_FEES, amount: -fee, currency },
  ])
}

/**
 * The provider settled a change of our balance in another currency. With the posting of the change, which is in the
 * payment's currency, `provider` is our balance in each currency. What conversions gained or cost stays in `fx`.
 */
export function conversionPosting(payment: { id: number }, conversion: Conversion): Posting {
  const { kind, id, amount, currency, settledAmount: settled, settledCurrency } = conversion
  return createPosting(`fx-${kind}:${id}`, payment, [
    { account: provider, amount, currency },
    { account: `fx:${currency}`, amount: 0 - amount, currency },
    { account: provider, amount: 0 - settled, currency: settledCurrency },
    { account: `fx:${settledCurrency}`, amount: settled, currency: settledCurrency },
  ])
}

/**
 * The bank took a disputed amount from us, or returned it if `taken` is negative. It is a loss until something
 * covers it. Each of the provider's transactions is booked once.
 */
export function chargebackPosting(payment: { id: number }, transactionId: string, taken: number): Posting {
  return createPosting(`chargeback:${transactionId}`, payment, [
    { account: provider, amount: taken },
    { account: LOSSES_CHARGEBACKS, amount: -taken },
  ])
}

/** The sources that cover money that a buyer got back by a chargeback or a refund in the provider's dashboard. */
export interface Cover {
  /** From the money in escrow. */
  escrow: number
  /** From a refund that we still owed. */
  refund: number
  /** From a payout that was not sent yet. */
  payout: number
}

const coverEntries = (payment: PostedPayment, { escrow, refund, payout }: Cover): Entry[] => [
  { account: escrowAccount(payment), amount: -escrow },
  { account: buyerAccount(payment), amount: -refund },
  { account: sellerAccount(payment), amount: -payout },
]

const coveredBy = ({ escrow, refund, payout }: Cover) => escrow + refund + payout

/** A chargeback is lost: the covered part is no longer a loss. */
export function chargebackLostPosting(payment: PostedPayment, chargebackId: string, cover: Cover): Posting {
  return createPosting(`chargeback-lost:${chargebackId}`, payment, [
    ...coverEntries(payment, cover),
    { account: LOSSES_CHARGEBACKS, amount: coveredBy(cover) },
  ])
}

const lossesOf = ({ reason }: LossCause) => (reason === 'chargeback' ? LOSSES_CHARGEBACKS : LOSSES_REFUNDS)

/** The seller's transfer was reversed because of a chargeback or a refund. */
export function takenBackPosting(payment: { id: number }, cause: LossCause, amount: number): Posting {
  return createPosting(`${cause.reason}-reversal:${cause.causeId}`, payment, [
    { account: provider, amount: -amount },
    { account: lossesOf(cause), amount },
  ])
}

/** The seller owes what the buyer got back and could not be taken back. */
export function lossOwedPosting(
  payment: { id: number; sellerId: string },
  cause: LossCause,
  amount: number,
): Posting {
  return createPosting(`${cause.reason}-debt:${cause.causeId}`, payment, [
    { account: debtAccount(payment), amount: -amount },
    { account: lossesOf(cause), amount },
  ])
}

/** The market gives up what is open of a debt. */
export function debtGivenUpPosting(
  debt: { id: number; paymentId: number; userId: string },
  amount: number,
): Posting {
  return createPosting(`debt-given-up:${debt.id}`, { id: debt.paymentId }, [
    { account: debtAccount({ sellerId: debt.userId }), amount },
    { account: 'losses:debts', amount: -amount },
  ])
}

interface ReleasedRefund extends Released {
  causeId: string
  /** The part of the seller's share that is taken from a payout that was not sent yet. */
  payout: number
}

/**
 * The seller or the team refunds the buyer after the release. The rest of the seller's share is a loss until it is
 * taken back or owed.
 */
export function releasedRefundPosting(
  payment: { id: number; buyerId: string; sellerId: string },
  { causeId, payout, ...shares }: ReleasedRefund,
): Posting {
  const { seller, platformFee, processingFee } = shares
  return createPosting(`released-refund:${causeId}`, payment, [
    { account: buyerAccount(payment), amount: seller + platformFee + processingFee },
    { account: sellerAccount(payment), amount: -payout },
    { account: 'fees:platform', amount: -platformFee },
    { account: 'fees:processing', amount: -processingFee },
    { account: LOSSES_REFUNDS, amount: payout - seller },
  ])
}

/**
 * What was reversed of the seller's transfer is owed to them again: all of it if the chargeback is won, and otherwise
 * what is more than the loss.
 */
export function restoredPosting(
  payment: { id: number; sellerId: string },
  cause: LossCause,
  amount: number,
  why: 'won' | 'surplus',
): Posting {
  const name = why === 'won' ? 'restored' : 'surplus'
  return createPosting(`${cause.reason}-${name}:${cause.causeId}`, payment, [
    { account: lossesOf(cause), amount: -amount },
    { account: sellerAccount(payment), amount },
  ])
}

/** A refund made in the provider's dashboard. The uncovered part is a loss. */
export function dashboardRefundPosting(
  payment: PostedPayment,
  refundId: string,
  amount: number,
  cover: Cover,
): Posting {
  return createPosting(`dashboard-refund:${refundId}`, payment, [
    { account: provider, amount },
    ...coverEntries(payment, cover),
    { account: LOSSES_REFUNDS, amount: coveredBy(cover) - amount },
  ])
}

/**
 * An admin paid the buyer outside the provider, after a refund failed. As with a manual payout, the platform paid.
 */
export function refundPaidPosting(payment: PostedPayment, refund: number, attempt: number): Posting {
  return createPosting(`refund-paid:${payment.id}:${attempt}`, payment, [
    { account: buyerAccount(payment), amount: -refund },
    { account: provider, amount: refund },
  ])
}

/** A refund did not reach the buyer, and the provider returned the money to us. */
export function refundFailedPosting(
  payment: PostedPayment,
  refundId: string,
  amount: number,
  goesTo: 'buyer' | 'escrow',
): Posting {
  const account = { buyer: buyerAccount(payment), escrow: escrowAccount(payment) }
  return createPosting(`refund-failed:${refundId}`, payment, [
    { account: provider, amount: -amount },
    { account: account[goesTo], amount },
  ])
}

/** A transfer was reversed in the provider's dashboard: the seller is owed that amount. */
export function reversalPosting(
  payment: { id: number; sellerId: string },
  reversalId: string,
  amount: number,
): Posting {
  return createPosting(`reversal:${reversalId}`, payment, [
    { account: provider, amount: -amount },
    { account: sellerAccount(payment), amount },
  ])
}

function settlementPosting(key: string, payment: PostedPayment, parts: Omit<Ruling, 'move'>): Posting {
  return createPosting(key, payment, [
    { account: escrowAccount(payment), amount: -inEscrow(payment) },
    { account: buyerAccount(payment), amount: parts.refund },
    { account: sellerAccount(payment), amount: parts.payout },
    { account: 'fees:platform', amount: parts.platformFee },
    { account: 'fees:processing', amount: parts.processingFee },
  ])
}

function createPosting(
  key: string,
  { id, mischargedCurrency: charged }: { id: number; mischargedCurrency?: string | null },
  given: Entry[],
): Posting {
  const entries = charged ? given.map((entry) => ({ currency: charged, ...entry })) : given
  for (const [currency = 'the currency of the payment', of] of Map.groupBy(entries, (it) => it.currency)) {
    const sum = of.reduce((sum, { amount }) => sum + amount, 0)
    if (sum !== 0) throw new Error(`the entries of ${key} sum to ${sum} in ${currency}`)
  }
  return { key, paymentId: id, entries: entries.filter(({ amount }) => amount !== 0) }
}
