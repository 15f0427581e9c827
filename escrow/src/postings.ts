import { calculateFees } from './fees.ts'
import type { Ruling } from './rulings.ts'

/*
 * What each step of a payment writes into the ledger (ADR 26). Every step has a key of its own, made
 * from our ids, under which its entries sum to zero; the same step twice is the same key, and the
 * database takes it once.
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
const escrowOf = (payment: PostedPayment) => `escrow:${payment.id}`
const sellerOf = ({ sellerId }: { sellerId: string }) => `seller:${sellerId}`
const buyerOf = (payment: PostedPayment) => `buyer:${payment.buyerId}`

/** The card was charged: the provider owes us what we now hold for two people. */
export function holdPosting(payment: PostedPayment): Posting {
  return posting(`hold:${payment.id}`, payment, [
    { account: provider, amountCents: -payment.amount },
    { account: escrowOf(payment), amountCents: payment.amount },
  ])
}

/** Confirmed or lapsed: the seller is credited with all but the fees. */
export function releasePosting(payment: PostedPayment): Posting {
  return settlement(`release:${payment.id}`, payment, { refundCents: 0, ...calculateFees(payment.amount) })
}

export function rulingPosting(payment: PostedPayment, ruling: Ruling): Posting {
  return settlement(`ruling:${payment.id}`, payment, ruling)
}

/** The provider has given the buyer their part back. */
export function refundPosting(payment: PostedPayment, refundCents: number): Posting {
  return posting(`refund:${payment.id}`, payment, [
    { account: buyerOf(payment), amountCents: -refundCents },
    { account: provider, amountCents: refundCents },
  ])
}

/** What is paid out to a seller. A payout that is undone and paid again is another attempt. */
interface PostedPayout {
  paymentId: number
  sellerId: string
  amount: number
  attempt: number
}

/** The seller has been paid what they were credited with. */
export function payoutPosting(payout: PostedPayout): Posting {
  const { paymentId, amount, attempt } = payout
  return posting(`payout:${paymentId}:${attempt}`, { id: paymentId }, [
    { account: sellerOf(payout), amountCents: -amount },
    { account: provider, amountCents: amount },
  ])
}

/** A payout that was marked paid by mistake: the seller is owed it again. */
export function payoutReversalPosting(payout: PostedPayout): Posting {
  const { paymentId, amount, attempt } = payout
  return posting(`payout-undone:${paymentId}:${attempt}`, { id: paymentId }, [
    { account: provider, amountCents: -amount },
    { account: sellerOf(payout), amountCents: amount },
  ])
}

function settlement(key: string, payment: PostedPayment, parts: Omit<Ruling, 'move'>): Posting {
  return posting(key, payment, [
    { account: escrowOf(payment), amountCents: -payment.amount },
    { account: buyerOf(payment), amountCents: parts.refundCents },
    { account: sellerOf(payment), amountCents: parts.payoutCents },
    { account: 'fees:platform', amountCents: parts.platformCents },
    { account: 'fees:processing', amountCents: parts.processingCents },
  ])
}

function posting(key: string, { id }: { id: number }, entries: Entry[]): Posting {
  const sumCents = entries.reduce((sum, { amountCents }) => sum + amountCents, 0)
  if (sumCents !== 0) throw new Error(`the entries of ${key} sum to ${sumCents}`)
  return { key, paymentId: id, entries: entries.filter(({ amountCents }) => amountCents !== 0) }
}
