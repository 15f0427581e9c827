import type { LossCause } from '@sought/escrow/debts'
import { restoredPosting, takenBackPosting } from '@sought/escrow/postings'
import type { Tx } from '../../../database/database.ts'
import { deleteRows, findRow } from '../../../database/rows.ts'
import { takeBacks } from '../../../database/schema.ts'
import { announce } from '../../../http/events.ts'
import { type CardProvider, ProviderFailed, type TakenBack } from '../../../providers/stripe/card-provider.ts'
import { enqueueAll, type JobPayloads } from '../../../runtime/jobs.ts'
import type { Services } from '../../../services.ts'
import { findCollectableOf, findDecision, findSurplus, oweLoss } from '../debts/actions.ts'
import { bookConversion, isPosted, post } from '../ledger/post.ts'
import { findPayoutOf, unfreezePayout } from './keep-payout-back.ts'
import type { Payout } from './queries.ts'
import * as queries from './queries.ts'
import { keepRest } from './reduce-payout.ts'
import { enqueueOwedPayouts } from './send-payouts.ts'

/*
 * What a chargeback or a refund costs after the seller was paid is reversed from their transfer, and once it is lost,
 * they owe the rest (ADR 99). The losses of a deal are taken back one after the other: what to reverse is stored before
 * the provider is asked, and the next loss waits until the answer is booked. So nothing is taken back twice.
 */

const RETRY_BATCH = 100
const NOTHING: TakenBack = { cents: 0, conversions: [] }

type Deal = Parameters<typeof oweLoss>[1]
type TakeBack = typeof takeBacks.$inferSelect

/** The caller has locked the payment. */
export async function collectLoss(tx: Tx, deal: Deal, cause: LossCause): Promise<void> {
  await queries.insertTakeBack(tx, deal.id, cause)
  await takeNext(tx, deal)
}

/** A job asks the provider. What needs no reversal is owed at once. */
async function takeNext(tx: Tx, deal: Deal): Promise<void> {
  for (const waiting of await queries.findTakeBacks(tx, deal.id)) {
    if (waiting.askedCents !== null) return
    const payout = await findPayoutOf(tx, deal.id)
    const cents = payout ? await findReversible(tx, payout, waiting) : 0
    if (payout && cents > 0) {
      await queries.setAsked(tx, waiting, payout, cents)
      return enqueueTakeBacks(tx, [waiting])
    }
    await deleteRows(tx, takeBacks, { id: waiting.id })
    if (await oweLoss(tx, deal, waiting)) await enqueueOwedPayouts(tx, deal.sellerId)
  }
}

/** How much of the transfer to reverse. 0 after the reversal was booked, and for payouts that were made by bank. */
async function findReversible(tx: Tx, payout: Payout, cause: LossCause): Promise<number> {
  const { paymentId, currency, method, providerId, amount, reversedCents } = payout
  if (method !== 'transfer' || !providerId) return 0
  if (await isPosted(tx, takenBackPosting({ id: paymentId }, cause, 0).key)) return 0
  return Math.min(await findCollectableOf(tx, { id: paymentId, currency }, cause), amount - reversedCents)
}

const enqueueTakeBacks = (tx: Tx, asked: { id: number }[]) =>
  enqueueAll(
    tx,
    'take-back',
    asked.map(({ id }) => ({ payload: { takeBackId: id }, key: `take-back:${id}` })),
  )

/** Enqueues reversals again whose job was lost or failed. */
export async function retryTakeBacks({ database, config }: Services): Promise<void> {
  await database.transact(async (tx) => {
    await enqueueTakeBacks(tx, await queries.claimTakeBacks(tx, config.escrowSweepSeconds, RETRY_BATCH))
  })
}

/** The job. Safe to repeat: `cards.reverseTransfer` finds a reversal that an earlier attempt made. */
export async function takeBack(
  { cards, database }: Services,
  { takeBackId: id }: JobPayloads['take-back'],
): Promise<void> {
  const asked = await database.transact((tx) => findAsked(tx, id))
  if (!cards || !asked) return
  const takenBack = await reverse(cards, asked)
  await database.transact((tx) => recordTakenBack(tx, asked, takenBack))
}

/** Of a chargeback that is won meanwhile, only what an earlier attempt reversed is to be found. */
async function findAsked(tx: Tx, id: number): Promise<TakeBack | undefined> {
  const asked = await findRow(tx, takeBacks, { id })
  const isWon = asked && (await findDecision(tx, asked)).outcome === 'won'
  return isWon ? { ...asked, askedCents: 0 } : asked
}

/** If the provider refuses, the seller owes everything. */
async function reverse(
  cards: CardProvider,
  { causeId, transferId, accountId, askedCents: amountCents }: TakeBack,
): Promise<TakenBack> {
  if (transferId === null || accountId === null || amountCents === null)
    throw new Error(`the reversal for ${causeId} still waits`)
  try {
    return await cards.reverseTransfer({ causeId, transferId, accountId, amountCents })
  } catch (error) {
    if (error instanceof ProviderFailed && error.outcome === 'refused') return NOTHING
    throw error
  }
}

async function recordTakenBack(
  tx: Tx,
  { id, paymentId, reason, causeId }: TakeBack,
  { cents, conversions }: TakenBack,
): Promise<void> {
  const found = await findPayoutOf(tx, paymentId)
  const payout = found && (await queries.lockPayout(tx, found.id))
  if (!payout) throw new Error(`payment ${paymentId} has no payout`)
  if (payout.status === 'sending') throw new Error('a transfer is under way, the job will be tried again')
  if (!(await deleteRows(tx, takeBacks, { id }))) return
  const cause = { reason, causeId }
  if (cents > 0) {
    await post(tx, takenBackPosting({ id: paymentId }, cause, cents))
    for (const conversion of conversions) await bookConversion(tx, { id: paymentId }, conversion)
    await settle(tx, payout, cause, cents)
    await unfreezePayout(tx, paymentId)
  }
  const { sellerId, currency } = payout
  const deal = { id: paymentId, sellerId, currency }
  if (await oweLoss(tx, deal, cause)) await enqueueOwedPayouts(tx, sellerId)
  await takeNext(tx, deal)
  await announce(tx, [sellerId], { about: 'payments' })
}

/** The bank has decided about what was taken back meanwhile. The caller has locked the payment. */
export async function settleTakenBack(tx: Tx, payout: Payout, chargebackId: string): Promise<void> {
  const { paymentId, reversedCents } = payout
  const cause = { reason: 'chargeback', causeId: chargebackId } as const
  const cents = await queries.findTakenBackCents(tx, takenBackPosting({ id: paymentId }, cause, 0).key)
  if (cents > 0) await settle(tx, { ...payout, reversedCents: reversedCents - cents }, cause, cents)
}

/** What was taken back is final as far as it is lost. The rest is owed to the seller again. */
async function settle(tx: Tx, payout: Payout, cause: LossCause, cents: number): Promise<void> {
  const { outcome } = await findDecision(tx, cause)
  if (outcome === 'open') {
    await queries.updatePayout(tx, payout.id, { reversedCents: payout.reversedCents + cents })
    return
  }
  const why = outcome === 'won' ? 'won' : 'surplus'
  const returnedCents = why === 'won' ? cents : await findSurplus(tx, payout.paymentId, cause)
  const rest = await keepRest(tx, payout, cents - returnedCents)
  if (returnedCents === 0) return
  const { paymentId, sellerId } = payout
  await post(tx, restoredPosting({ id: paymentId, sellerId }, cause, returnedCents, why))
  await oweAgain(tx, rest, returnedCents)
}

/** The payout stays frozen until it may be sent again. If part of it was reversed in the dashboard, an admin sends it. */
async function oweAgain(tx: Tx, payout: Payout, cents: number): Promise<void> {
  const { id, status, paidAt, reversedCents } = payout
  const isSent = paidAt !== null && status !== 'reversed'
  if (isSent && reversedCents > 0) throw new Error('what another chargeback took back is not decided yet')
  await queries.updatePayout(tx, id, {
    ...(isSent && queries.unpaidAgain(payout)),
    reversedCents: reversedCents + cents,
  })
}

/**
 * A job of a release that did not store what it asked for. The provider is asked in any case, because the job may have
 * been interrupted before it booked its reversal.
 */
export async function continueTakeBack(
  services: Services,
  { payoutId, chargebackId: causeId }: JobPayloads['take-back-payout'],
): Promise<void> {
  const started = await services.database.transact(async (tx) => {
    const payout = await queries.lockPayout(tx, payoutId)
    const cause = { reason: 'chargeback', causeId } as const
    if (!payout?.providerId || !payout.destination) return null
    if (await isPosted(tx, takenBackPosting({ id: payout.paymentId }, cause, 0).key)) return null
    const waiting = await queries.insertTakeBack(tx, payout.paymentId, cause)
    if (waiting) await queries.setAsked(tx, waiting, payout, await findReversible(tx, payout, cause))
    return waiting
  })
  if (started) await takeBack(services, { takeBackId: started.id })
}
