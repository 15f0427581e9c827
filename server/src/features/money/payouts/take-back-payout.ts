import { restoredPosting, takenBackPosting } from '@sought/escrow/postings'
import type { Tx } from '../../../database/database.ts'
import { announce } from '../../../http/events.ts'
import type { TakenBack } from '../../../providers/stripe/card-provider.ts'
import type { JobPayloads } from '../../../runtime/jobs.ts'
import type { Services } from '../../../services.ts'
import { findKeptOf, findOwed } from '../debts/actions.ts'
import { bookConversion, isPosted, post } from '../ledger/post.ts'
import { sendPayout } from './keep-payout-back.ts'
import type { Payout } from './queries.ts'
import * as queries from './queries.ts'
import { keepRest } from './reduce-payout.ts'

type Reversal = JobPayloads['take-back-payout']

/**
 * Reverses the transfer of a payout whose payment the buyer's bank disputes, up to the balance of the
 * seller's account. If the chargeback is lost, they owe the rest. Safe to repeat: `cards.reverseTransfer` finds a
 * reversal made by an earlier attempt.
 */
export async function takeBackPayout(services: Services, reversal: Reversal): Promise<void> {
  const { cards, database } = services
  const { payout, outcome, leftCents } = await database.transact(async (tx) => {
    const payout = await queries.findPayout(tx, reversal.payoutId)
    const outcome = await queries.findOutcome(tx, reversal.chargebackId)
    return {
      payout,
      outcome,
      leftCents: payout ? await findLeft(tx, payout.paymentId, outcome, reversal) : 0,
    }
  })
  if (!cards || !payout?.providerId || !payout.destination) return
  const possibleCents = Math.min(leftCents, payout.amount - payout.reversedCents)
  const wantedCents = Math.max(0, Math.min(reversal.cents, possibleCents))
  const takenBack = await cards.reverseTransfer({
    causeId: reversal.chargebackId,
    transferId: payout.providerId,
    accountId: payout.destination,
    // If the chargeback is won, nothing more is reversed. An earlier attempt may have reversed something.
    amountCents: outcome === 'won' ? 0 : wantedCents,
  })
  if (takenBack.cents > 0) await database.transact((tx) => recordTakeBack(tx, reversal, takenBack))
}

/** What the seller neither gave back nor owes. Once the chargeback is lost, only what it cost and nobody owes yet. */
const findLeft = (
  tx: Tx,
  paymentId: number,
  outcome: Awaited<ReturnType<typeof queries.findOutcome>>,
  { chargebackId }: Reversal,
): Promise<number> =>
  outcome === 'lost'
    ? findOwed(tx, paymentId, { reason: 'chargeback', causeId: chargebackId })
    : findKeptOf(tx, paymentId)

/** Books the reversal once. The bank may have decided in the meantime. */
async function recordTakeBack(
  tx: Tx,
  { payoutId, chargebackId }: Reversal,
  { cents, conversions }: TakenBack,
): Promise<void> {
  const payout = await queries.lockPayout(tx, payoutId)
  const cause = { reason: 'chargeback', causeId: chargebackId } as const
  const posting = takenBackPosting({ id: payout?.paymentId ?? 0 }, cause, cents)
  if (!payout || (await isPosted(tx, posting.key))) return
  if (payout.status === 'sending') throw new Error('a transfer is under way, the job will be tried again')
  await post(tx, posting)
  for (const conversion of conversions) await bookConversion(tx, { id: payout.paymentId }, conversion)
  switch (await queries.findOutcome(tx, chargebackId)) {
    case 'open':
      await queries.updatePayout(tx, payoutId, { reversedCents: payout.reversedCents + cents })
      break
    case 'lost':
      await keepRest(tx, payout, cents)
      break
    case 'won':
      await giveBack(tx, payout, chargebackId, cents)
  }
  await announce(tx, [payout.sellerId], { about: 'payments' })
}

/**
 * The reversed amount is owed to the seller again. If part of it was reversed in the dashboard, an admin
 * sends all of it.
 */
async function giveBack(tx: Tx, payout: Payout, chargebackId: string, cents: number): Promise<void> {
  const { id, paymentId, sellerId, status, paidAt } = payout
  const reversedCents = payout.reversedCents + cents
  const isTakenBack = status === 'paid' || (status === 'frozen' && paidAt !== null)
  const restoredCents = isTakenBack ? reversedCents : cents
  await post(tx, restoredPosting({ id: paymentId, sellerId }, chargebackId, restoredCents))
  await queries.updatePayout(tx, id, { ...(isTakenBack && queries.unpaidAgain(payout)), reversedCents })
  if (status !== 'reversed' && !(await queries.hasOpenChargeback(tx, paymentId))) await sendPayout(tx, payout)
}
