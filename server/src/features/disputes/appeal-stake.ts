import { calculateFees, type FeeRates } from '@sought/escrow/fees'
import type { PostedPayment } from '@sought/escrow/postings'

/*
 * What a ruling gave each party, and what it cost them. Read from the ledger, which nothing changes afterwards: the
 * payment's own columns change with later refunds and chargebacks.
 */

interface LedgerEntry {
  key: string
  account: string
  amountCents: number
}

/** Money that the buyer got back at the provider, by us, in its dashboard or from the bank; or that came back to us. */
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

/** In cents: what the buyer paid and has not got back, or what a full release would have paid the seller in addition. */
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
