import { calculateFees, type FeeRates } from '@sought/escrow/fees'
import type { PostedPayment } from '@sought/escrow/postings'

/*
 * The amounts that a ruling gave each party, and its cost for them. Read from the ledger, because the
 * payment's own columns change with later refunds and chargebacks.
 */

interface LedgerEntry {
  key: string
  account: string
  amountCents: number
}

/**
 * Postings of money that went back to the buyer through the provider (refunds by us or in its dashboard, and
 * chargebacks), and of refunds that failed.
 */
const PAID_TO_BUYER = /^(refund|refund-paid|refund-failed|dashboard-refund|chargeback):/

const sumOf = (entries: LedgerEntry[]) => entries.reduce((sum, { amountCents }) => sum + amountCents, 0)

/** In cents. */
export function readRuling(entries: LedgerEntry[], { id, buyerId, sellerId }: PostedPayment) {
  const posted = entries.filter(({ key }) => key === `ruling:${id}`)
  const on = (account: string) => sumOf(posted.filter((entry) => entry.account === account))
  return {
    amount: 0 - on(`escrow:${id}`),
    refund: on(`buyer:${buyerId}`),
    payout: on(`seller:${sellerId}`),
  }
}

/**
 * In cents: for the buyer, the paid amount that was not returned; for the seller, what a full release would
 * have paid in addition.
 */
export function calculateStake(
  entries: LedgerEntry[],
  payment: PostedPayment & FeeRates,
  party: 'buyer' | 'seller',
): number {
  const { amount, payout } = readRuling(entries, payment)
  if (party === 'seller') return Math.max(0, calculateFees(amount, payment).payoutCents - payout)
  const isBuyers = ({ key, account }: LedgerEntry) =>
    account === 'provider'
      ? PAID_TO_BUYER.test(key)
      : account === `buyer:${payment.buyerId}` && !key.startsWith('goodwill')
  return Math.max(0, payment.amount - sumOf(entries.filter(isBuyers)))
}
