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
  amountCents: number
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
  returnedCents: number
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
    { account: provider, amountCents: -payment.amount },
    { account: escrowAccount(payment), amountCents: payment.amount },
  ])
}

/**
 * The card was charged something else than agreed: the buyer is owed all of it. The key is the one of a hold, because a
 * payment is charged once.
 */
export function mischargePosting(payment: PostedPayment, receivedCents: number): Posting {
  return createPosting(`hold:${payment.id}`, payment, [
    { account: provider, amountCents: -receivedCents },
    { account: buyerAccount(payment), amountCents: receivedCents },
  ])
}

/** Delivery was confirmed or the hold ended: credits the seller with the amount minus the fees. */
export function releasePosting(payment: PostedPayment & FeeRates): Posting {
  return settlementPosting(`release:${payment.id}`, payment, {
    refundCents: 0,
    ...calculateFees(inEscrow(payment), payment),
  })
}

interface PostedGoodwill {
  id: number
  paymentId: number
  recipient: 'buyer' | 'seller'
  recipientId: string
  amountCents: number
}

/** Money that the platform owes to a party of a deal, as goodwill or because a ruling was overturned. */
export function goodwillPosting(goodwill: PostedGoodwill): Posting {
  const { id, paymentId, recipient, recipientId, amountCents } = goodwill
  return createPosting(`goodwill:${id}`, { id: paymentId }, [
    { account: 'platform:goodwill', amountCents: -amountCents },
    { account: `${recipient}:${recipientId}`, amountCents },
  ])
}

/** An admin paid goodwill outside the provider. As with a manual payout, the platform paid. */
export function goodwillPaidPosting(goodwill: PostedGoodwill): Posting {
  const { id, paymentId, recipient, recipientId, amountCents } = goodwill
  return createPosting(`goodwill-paid:${id}`, { id: paymentId }, [
    { account: `${recipient}:${recipientId}`, amountCents: -amountCents },
    { account: provider, amountCents },
  ])
}

/** The part of a payment that is in escrow. Fees, payouts and refunds are calculated from it. */
export const inEscrow = ({ amount, returnedCents }: Pick<PostedPayment, 'amount' | 'returnedCents'>) =>
  amount - returnedCents

export function rulingPosting(payment: PostedPayment, ruling: Ruling): Posting {
  return settlementPosting(`ruling:${payment.id}`, payment, ruling)
}

/** The request was already paid: the buyer is owed the whole amount (ADR 49). */
export function duplicatePosting(payment: PostedPayment): Posting {
  return createPosting(`duplicate:${payment.id}`, payment, [
    { account: escrowAccount(payment), amountCents: -payment.amount },
    { account: buyerAccount(payment), amountCents: payment.amount },
  ])
}

/** The deal was cancelled: the buyer is owed everything that is still in escrow. */
export function cancellationPosting(payment: PostedPayment): Posting {
  return createPosting(`cancel:${payment.id}`, payment, [
    { account: escrowAccount(payment), amountCents: -inEscrow(payment) },
    { account: buyerAccount(payment), amountCents: inEscrow(payment) },
  ])
}

/** The provider has refunded the buyer. Refunding again after a failed refund is a new attempt. */
export function refundPosting(payment: PostedPayment, refundCents: number, attempt = 0): Posting {
  const key = attempt === 0 ? `refund:${payment.id}` : `refund:${payment.id}:${attempt}`
  return createPosting(key, payment, [
    { account: buyerAccount(payment), amountCents: -refundCents },
    { account: provider, amountCents: refundCents },
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
    { account: sellerAccount(payout), amountCents: -amount },
    { account: provider, amountCents: amount },
  ])
}

/** Reverses a payout that was marked paid by mistake: the seller is owed the amount again. */
export function payoutReversalPosting(payout: PostedPayout): Posting {
  const { paymentId, amount, attempt } = payout
  return createPosting(`payout-undone:${paymentId}:${attempt}`, { id: paymentId }, [
    { account: provider, amountCents: -amount },
    { account: sellerAccount(payout), amountCents: amount },
  ])
}

/** The provider's fee for a charge. */
export interface ChargeFee {
  /** In the payment's currency. */
  cents: number
  /** In the currency in which the provider took it. */
  taken: { cents: number; currency: string }
}

/** The seller bears the provider's fee of a cancelled deal. A debt is negative, because the seller owes it to us. */
export function cancellationFeePosting(
  payment: { id: number; sellerId: string; currency: string },
  { cents, taken }: ChargeFee,
): Posting {
  const { currency } = payment
  const converted: Entry[] = [
    { account: `fx:${currency}`, amountCents: cents, currency },
    { account: `fx:${taken.currency}`, amountCents: -taken.cents, currency: taken.currency },
  ]
  return createPosting(`cancellation-fee:${payment.id}`, payment, [
    { account: debtAccount(payment), amountCents: -cents, currency },
    { account: PROVIDER_FEES, amountCents: taken.cents, currency: taken.currency },
    ...(taken.currency === currency ? [] : converted),
  ])
}

/** A part of a payout that is not sent yet settles a debt. After a reversal, the same debt may be settled further. */
export function debtTakenPosting(
  payout: Pick<PostedPayout, 'paymentId' | 'sellerId' | 'attempt'>,
  debt: { id: number; reason: DebtReason },
  takenCents: number,
): Posting {
  const { paymentId, attempt } = payout
  return createPosting(`debt-${debt.reason}:${debt.id}:${paymentId}:${attempt}`, { id: paymentId }, [
    { account: sellerAccount(payout), amountCents: -takenCents },
    { account: debtAccount(payout), amountCents: takenCents },
  ])
}

/** A fee of the provider, in the currency in which it was taken. */
export interface ProviderFee {
  /** The provider's id of the balance transaction. */
  id: string
  feeCents: number
  currency: string
}

/** The provider kept a fee for a charge or a dispute. Each of its transactions is booked once. */
export function providerFeePosting(
  payment: { id: number },
  { id, feeCents, currency }: ProviderFee,
): Posting {
  return createPosting(`provider-fee:${id}`, payment, [
    { account: provider, amountCents: feeCents, currency },
    { account: PROVIDER_FEES, amountCents: -feeCents, currency },
  ])
}

/**
 * The provider settled a change of our balance in another currency. With the posting of the change, which is in the
 * payment's currency, `provider` is our balance in each currency. What conversions gained or cost stays in `fx`.
 */
export function conversionPosting(payment: { id: number }, conversion: Conversion): Posting {
  const { kind, id, cents, currency, settledCents, settledCurrency } = conversion
  return createPosting(`fx-${kind}:${id}`, payment, [
    { account: provider, amountCents: cents, currency },
    { account: `fx:${currency}`, amountCents: 0 - cents, currency },
    { account: provider, amountCents: 0 - settledCents, currency: settledCurrency },
    { account: `fx:${settledCurrency}`, amountCents: settledCents, currency: settledCurrency },
  ])
}

/**
 * The bank took a disputed amount from us, or returned it if `takenCents` is negative. It is a loss until something
 * covers it. Each of the provider's transactions is booked once.
 */
export function chargebackPosting(
  payment: { id: number },
  transactionId: string,
  takenCents: number,
): Posting {
  return createPosting(`chargeback:${transactionId}`, payment, [
    { account: provider, amountCents: takenCents },
    { account: LOSSES_CHARGEBACKS, amountCents: -takenCents },
  ])
}

/** The sources that cover money that a buyer got back by a chargeback or a refund in the provider's dashboard. */
export interface Cover {
  /** From the money in escrow. */
  escrowCents: number
  /** From a refund that we still owed. */
  refundCents: number
  /** From a payout that was not sent yet. */
  payoutCents: number
}

const coverEntries = (payment: PostedPayment, { escrowCents, refundCents, payoutCents }: Cover): Entry[] => [
  { account: escrowAccount(payment), amountCents: -escrowCents },
  { account: buyerAccount(payment), amountCents: -refundCents },
  { account: sellerAccount(payment), amountCents: -payoutCents },
]

const coveredCents = ({ escrowCents, refundCents, payoutCents }: Cover) =>
  escrowCents + refundCents + payoutCents

/** A chargeback is lost: the covered part is no longer a loss. */
export function chargebackLostPosting(payment: PostedPayment, chargebackId: string, cover: Cover): Posting {
  return createPosting(`chargeback-lost:${chargebackId}`, payment, [
    ...coverEntries(payment, cover),
    { account: LOSSES_CHARGEBACKS, amountCents: coveredCents(cover) },
  ])
}

const lossesOf = ({ reason }: LossCause) => (reason === 'chargeback' ? LOSSES_CHARGEBACKS : LOSSES_REFUNDS)

/** The seller's transfer was reversed because of a chargeback or a refund. */
export function takenBackPosting(payment: { id: number }, cause: LossCause, cents: number): Posting {
  return createPosting(`${cause.reason}-reversal:${cause.causeId}`, payment, [
    { account: provider, amountCents: -cents },
    { account: lossesOf(cause), amountCents: cents },
  ])
}

/** The seller owes what the buyer got back and could not be taken back. */
export function lossOwedPosting(
  payment: { id: number; sellerId: string },
  cause: LossCause,
  cents: number,
): Posting {
  return createPosting(`${cause.reason}-debt:${cause.causeId}`, payment, [
    { account: debtAccount(payment), amountCents: -cents },
    { account: lossesOf(cause), amountCents: cents },
  ])
}

/** The market gives up what is open of a debt. */
export function debtGivenUpPosting(
  debt: { id: number; paymentId: number; userId: string },
  cents: number,
): Posting {
  return createPosting(`debt-given-up:${debt.id}`, { id: debt.paymentId }, [
    { account: debtAccount({ sellerId: debt.userId }), amountCents: cents },
    { account: 'losses:debts', amountCents: -cents },
  ])
}

interface ReleasedRefund extends Released {
  causeId: string
  /** The part of the seller's share that is taken from a payout that was not sent yet. */
  payoutCents: number
}

/**
 * The seller or the team refunds the buyer after the release. The rest of the seller's share is a loss until it is
 * taken back or owed.
 */
export function releasedRefundPosting(
  payment: { id: number; buyerId: string; sellerId: string },
  { causeId, payoutCents, ...shares }: ReleasedRefund,
): Posting {
  const { sellerCents, platformCents, processingCents } = shares
  return createPosting(`released-refund:${causeId}`, payment, [
    { account: buyerAccount(payment), amountCents: sellerCents + platformCents + processingCents },
    { account: sellerAccount(payment), amountCents: -payoutCents },
    { account: 'fees:platform', amountCents: -platformCents },
    { account: 'fees:processing', amountCents: -processingCents },
    { account: LOSSES_REFUNDS, amountCents: payoutCents - sellerCents },
  ])
}

/**
 * What was reversed of the seller's transfer is owed to them again: all of it if the chargeback is won, and otherwise
 * what is more than the loss.
 */
export function restoredPosting(
  payment: { id: number; sellerId: string },
  cause: LossCause,
  cents: number,
  why: 'won' | 'surplus',
): Posting {
  const name = why === 'won' ? 'restored' : 'surplus'
  return createPosting(`${cause.reason}-${name}:${cause.causeId}`, payment, [
    { account: lossesOf(cause), amountCents: -cents },
    { account: sellerAccount(payment), amountCents: cents },
  ])
}

/** A refund made in the provider's dashboard. The uncovered part is a loss. */
export function dashboardRefundPosting(
  payment: PostedPayment,
  refundId: string,
  cents: number,
  cover: Cover,
): Posting {
  return createPosting(`dashboard-refund:${refundId}`, payment, [
    { account: provider, amountCents: cents },
    ...coverEntries(payment, cover),
    { account: LOSSES_REFUNDS, amountCents: coveredCents(cover) - cents },
  ])
}

/**
 * An admin paid the buyer outside the provider, after a refund failed. As with a manual payout, the platform paid.
 */
export function refundPaidPosting(payment: PostedPayment, refundCents: number, attempt: number): Posting {
  return createPosting(`refund-paid:${payment.id}:${attempt}`, payment, [
    { account: buyerAccount(payment), amountCents: -refundCents },
    { account: provider, amountCents: refundCents },
  ])
}

/** A refund did not reach the buyer, and the provider returned the money to us. */
export function refundFailedPosting(
  payment: PostedPayment,
  refundId: string,
  cents: number,
  goesTo: 'buyer' | 'escrow',
): Posting {
  const account = { buyer: buyerAccount(payment), escrow: escrowAccount(payment) }
  return createPosting(`refund-failed:${refundId}`, payment, [
    { account: provider, amountCents: -cents },
    { account: account[goesTo], amountCents: cents },
  ])
}

/** A transfer was reversed in the provider's dashboard: the seller is owed that amount. */
export function reversalPosting(
  payment: { id: number; sellerId: string },
  reversalId: string,
  cents: number,
): Posting {
  return createPosting(`reversal:${reversalId}`, payment, [
    { account: provider, amountCents: -cents },
    { account: sellerAccount(payment), amountCents: cents },
  ])
}

function settlementPosting(key: string, payment: PostedPayment, parts: Omit<Ruling, 'move'>): Posting {
  return createPosting(key, payment, [
    { account: escrowAccount(payment), amountCents: -inEscrow(payment) },
    { account: buyerAccount(payment), amountCents: parts.refundCents },
    { account: sellerAccount(payment), amountCents: parts.payoutCents },
    { account: 'fees:platform', amountCents: parts.platformCents },
    { account: 'fees:processing', amountCents: parts.processingCents },
  ])
}

function createPosting(
  key: string,
  { id, mischargedCurrency: charged }: { id: number; mischargedCurrency?: string | null },
  given: Entry[],
): Posting {
  const entries = charged ? given.map((entry) => ({ currency: charged, ...entry })) : given
  for (const [currency = 'the currency of the payment', of] of Map.groupBy(entries, (it) => it.currency)) {
    const sumCents = of.reduce((sum, { amountCents }) => sum + amountCents, 0)
    if (sumCents !== 0) throw new Error(`the entries of ${key} sum to ${sumCents} in ${currency}`)
  }
  return { key, paymentId: id, entries: entries.filter(({ amountCents }) => amountCents !== 0) }
}
