import type { LossCause } from '@sought/escrow/debts'
import { takenBackPosting } from '@sought/escrow/postings'
import type { Tx } from '../../../database/database.ts'
import { announce } from '../../../http/events.ts'
import { type CardProvider, ProviderFailed, type TakenBack } from '../../../providers/stripe/card-provider.ts'
import { enqueue, type JobPayloads } from '../../../runtime/jobs.ts'
import type { Services } from '../../../services.ts'
import { findOwed, oweLoss } from '../debts/actions.ts'
import { bookConversion, isPosted, post } from '../ledger/post.ts'
import { findPayoutOf } from './keep-payout-back.ts'
import { findPaymentOf, lockPayout, type Payout } from './queries.ts'
import { keepRest } from './reduce-payout.ts'
import { enqueueOwedPayouts } from './send-payouts.ts'

/*
 * What a lost chargeback or a refund costs after the seller was paid: it is reversed from their transfer, and they owe
 * the rest (ADR 90).
 */

const NOTHING: TakenBack = { cents: 0, conversions: [] }

type Deal = Parameters<typeof oweLoss>[1]

/** The caller has locked the payment. The reversal is a call to the provider, so a job makes it. */
export async function collectLoss(tx: Tx, deal: Deal, cause: LossCause): Promise<void> {
  const payout = await findPayoutOf(tx, deal.id)
  if (payout && (await findReversible(tx, payout, cause)) > 0) {
    const payload = { payoutId: payout.id, ...cause }
    await enqueue(tx, 'collect-loss', payload, `collect-loss:${cause.causeId}`)
  } else await oweRest(tx, deal, cause)
}

async function oweRest(tx: Tx, deal: Deal, cause: LossCause): Promise<void> {
  if (await oweLoss(tx, deal, cause)) await enqueueOwedPayouts(tx, deal.sellerId)
}

/** How much of the transfer to reverse. 0 after the reversal was booked, and for payouts that were made by bank. */
async function findReversible(tx: Tx, payout: Payout, cause: LossCause): Promise<number> {
  const { paymentId, method, providerId, amount, reversedCents } = payout
  if (method !== 'transfer' || !providerId) return 0
  if (await isPosted(tx, takenBackPosting({ id: paymentId }, cause, 0).key)) return 0
  return Math.min(await findOwed(tx, paymentId, cause), amount - reversedCents)
}

/** The job. Safe to repeat: `cards.reverseTransfer` finds a reversal that an earlier attempt made. */
export async function reverseLoss(
  { cards, database }: Services,
  { payoutId, ...cause }: JobPayloads['collect-loss'],
): Promise<void> {
  if (!cards) return
  const reversible = await database.transact(async (tx) => {
    const payout = await lockPayout(tx, payoutId)
    return payout && { ...payout, cents: await findReversible(tx, payout, cause) }
  })
  if (!reversible) return
  const takenBack = reversible.cents > 0 ? await reverse(cards, reversible, cause) : NOTHING
  await database.transact((tx) => recordLoss(tx, payoutId, cause, takenBack))
}

/** If the provider refuses, the seller owes everything. */
async function reverse(
  cards: CardProvider,
  { providerId, destination, cents }: Payout & { cents: number },
  { causeId }: LossCause,
): Promise<TakenBack> {
  if (!providerId || !destination) throw new Error('a payout that was sent has a transfer and a destination')
  try {
    const of = { transferId: providerId, accountId: destination }
    return await cards.reverseTransfer({ causeId, ...of, amountCents: cents })
  } catch (error) {
    if (error instanceof ProviderFailed && error.outcome === 'refused') return NOTHING
    throw error
  }
}

async function recordLoss(
  tx: Tx,
  payoutId: number,
  cause: LossCause,
  { cents, conversions }: TakenBack,
): Promise<void> {
  const payout = await lockPayout(tx, payoutId)
  if (!payout) return
  if (payout.status === 'sending') throw new Error('a transfer is under way, the job will be tried again')
  const { paymentId, sellerId } = payout
  const posting = takenBackPosting({ id: paymentId }, cause, cents)
  if (cents > 0 && !(await isPosted(tx, posting.key))) {
    await post(tx, posting)
    for (const conversion of conversions) await bookConversion(tx, { id: paymentId }, conversion)
    await keepRest(tx, payout, cents)
  }
  await oweRest(tx, { id: paymentId, sellerId, currency: (await findPaymentOf(tx, payout)).currency }, cause)
  await announce(tx, [sellerId], { about: 'payments' })
}
