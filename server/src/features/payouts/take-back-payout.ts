import { takenBackPosting } from '@sought/escrow/postings'
import type { Tx } from '../../platform/database.ts'
import { announce } from '../../platform/events.ts'
import type { JobPayloads } from '../../platform/jobs.ts'
import type { Services } from '../../platform/services.ts'
import { post } from '../ledger/post.ts'
import { closePayout, restorePayout, sendPayout } from './keep-payout-back.ts'
import { findOutcome, findPayout, lockPayout, updatePayout } from './queries.ts'

type Reversal = JobPayloads['take-back-payout']

/**
 * Reverses the transfer of a payout whose payment the buyer's bank disputes, as far as the seller's account allows.
 * The rest stays a loss. Safe to repeat: `cards.reverseTransfer` finds a reversal that an earlier attempt made.
 */
export async function takeBackPayout(services: Services, reversal: Reversal): Promise<void> {
  const { cards, database } = services
  const { payout, outcome } = await database.transact(async (tx) => ({
    payout: await findPayout(tx, reversal.payoutId),
    outcome: await findOutcome(tx, reversal.chargebackId),
  }))
  if (!cards || !payout?.providerId || !payout.destination || payout.reversedCents > 0) return
  if (outcome === 'won') return
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
  // The bank may have decided during the call.
  const outcome = await findOutcome(tx, chargebackId)
  const reversed = { ...payout, reversedCents }
  if (outcome === 'lost') await closePayout(tx, reversed)
  if (outcome === 'won') {
    await restorePayout(tx, reversed, chargebackId)
    await sendPayout(tx, payout)
  }
  await announce(tx, [payout.sellerId], { about: 'payments' })
}
