import { calculateFees } from './fees.ts'
import type { Ruling } from './rulings.ts'

/*
 * The ledger entries of each step of a payment (ADR 26). The entries of a posting sum to zero. Its key is
 * built from our ids, so repeating a step repeats the key, and the database stores it only once.
 */

export interface Entry {
  account: string
  amountCents: number
}

export interface Posting {
  key: string
  paymentId: number
  entries: Entry[]
}

interface PostedPayment {
  id: number
  buyerId: string
  sellerId: string
  amount: number
}

const provider = 'provider'
const escrowAccount = (payment: PostedPayment) => `escrow:${payment.id}`
const sellerAccount = ({ sellerId }: { sellerId: string }) => `seller:${sellerId}`
const buyerAccount = (payment: PostedPayment) => `buyer:${payment.buyerId}`

/** The card was charged: the provider owes us the amount that is now in escrow. */
export function holdPosting(payment: PostedPayment): Posting {
  return createPosting(`hold:${payment.id}`, payment, [
    { account: provider, amountCents: -payment.amount },
    { account: escrowAccount(payment), amountCents: payment.amount },
  ])
}

/** Delivery was confirmed or the hold ended: credits the seller with the amount less the fees. */
export function releasePosting(payment: PostedPayment): Posting {
  return settlementPosting(`release:${payment.id}`, payment, {
    refundCents: 0,
    ...calculateFees(payment.amount),
  })
}

export function rulingPosting(payment: PostedPayment, ruling: Ruling): Posting {
  return settlementPosting(`ruling:${payment.id}`, payment, ruling)
}

/** The provider has refunded the buyer. */
export function refundPosting(payment: PostedPayment, refundCents: number): Posting {
  return createPosting(`refund:${payment.id}`, payment, [
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

function settlementPosting(key: string, payment: PostedPayment, parts: Omit<Ruling, 'move'>): Posting {
  return createPosting(key, payment, [
    { account: escrowAccount(payment), amountCents: -payment.amount },
    { account: buyerAccount(payment), amountCents: parts.refundCents },
    { account: sellerAccount(payment), amountCents: parts.payoutCents },
    { account: 'fees:platform', amountCents: parts.platformCents },
    { account: 'fees:processing', amountCents: parts.processingCents },
  ])
}

function createPosting(key: string, { id }: { id: number }, entries: Entry[]): Posting {
  const sumCents = entries.reduce((sum, { amountCents }) => sum + amountCents, 0)
  if (sumCents !== 0) throw new Error(`the entries of ${key} sum to ${sumCents}`)
  return { key, paymentId: id, entries: entries.filter(({ amountCents }) => amountCents !== 0) }
}
