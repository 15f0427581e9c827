import { takenBackPosting } from '@sought/escrow/postings'
import type { Tx } from '../../platform/database.ts'
import { announce } from '../../platform/events.ts'
import type { JobPayloads } from '../../platform/jobs.ts'
import type { Services } from '../../platform/services.ts'
import { post } from '../ledger/post.ts'
import { findPayout, lockPayout, updatePayout } from './queries.ts'

type Reversal = JobPayloads['take-back-payout']

/**
 * Reverses the transfer of a payout whose payment the buyer's bank disputes, as far as the seller's account allows.
 * The rest stays a loss. Safe to repeat: `cards.reverseTransfer` finds a reversal that an earlier attempt made.
 */
export async function takeBackPayout(services: Services, reversal: Reversal): Promise<void> {
  const { cards, database } = services
  const payout = await database.transact((tx) => findPayout(tx, reversal.payoutId))
  if (!cards || payout?.status !== 'frozen' || !payout.providerId || !payout.destination) return
  if (payout.reversedCents > 0) return
  const reversedCents = await cards.reverseTransfer({
    chargebackId: reversal.chargebackId,
    transferId: payout.providerId,
    accountId: payout.destination,
    amountCents: Math.min(reversal.cents, payout.amount),
  })
  if (reversedCents > 0) await database.transact((tx) => recordReversal(tx, reversal, reversedCents))
}

async function recordReversal(
  tx: Tx,
  { payoutId, chargebackId }: Reversal,
  reversedCents: number,
): Promise<void> {
  const payout = await lockPayout(tx, payoutId)
  if (!payout || payout.reversedCents > 0) return
  await post(tx, takenBackPosting({ id: payout.paymentId }, chargebackId, reversedCents))
  await updatePayout(tx, payoutId, { reversedCents })
  await announce(tx, [payout.sellerId], { about: 'payments' })
}
