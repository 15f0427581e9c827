import type { Conversion } from '@sought/escrow/conversion'
import type { LossCause } from '@sought/escrow/debts'
import { isInDispute, isInEscrow } from '@sought/escrow/moves'
import type { Cover } from '@sought/escrow/postings'
import {
  coverOf,
  factPostings,
  MEANINGS,
  type ReportedFact,
  type Step,
  situationOf,
} from '@sought/escrow/provider-facts'
import type { Tx } from '../../../database/database.ts'
import type { Chargeback, ChargeHistory } from '../../../providers/stripe/card-provider.ts'
import { notify } from '../../notifications/actions.ts'
import {
  addTimelineEntry,
  composeSearchWords,
  describeChargeback,
} from '../dispute-records/dispute-records.ts'
import { bookConversion, post } from '../ledger/post.ts'
import {
  dueCents,
  findPayoutOf,
  freezePayout,
  type Payout,
  recordReversal,
  unfreezePayout,
} from '../payouts/keep-payout-back.ts'
import { takeFromPayout } from '../payouts/reduce-payout.ts'
import { collectLoss, settleTakenBack } from '../payouts/take-back.ts'
import { applyMove } from './apply-move.ts'
import { payoutFrozen } from './notifications/disputes.ts'
import { paymentRefunded, refundFailed, refundSentAgain } from './notifications/payments.ts'
import * as providerQueries from './provider-queries.ts'
import {
  keepRuledRefund,
  lockPaymentByIntent,
  noSettlement,
  type Payment,
  savePayment,
} from './stored-payment.ts'

/** Something that the provider reports about a charged payment. */
export interface Fact extends ReportedFact {
  /** For facts about a dispute. */
  chargeback?: Chargeback
  /** The provider's reason for a failed refund. */
  failureReason?: string | null
  conversion?: Conversion | null
}

/** The facts about a charge. Those that freeze its money come first, and those about an object in their order. */
export function factsIn({ refunds, chargebacks, reversals }: ChargeHistory): Fact[] {
  return [
    ...chargebacks.map(openingFact),
    ...refunds.flatMap(({ id, amountCents, ours, conversion, ...refunded }): Fact[] => {
      const refund = { objectId: id, amount: amountCents, ours }
      const { failed, failureReason, failureConversion } = refunded
      const failure = { name: 'refund_failed', failureReason, conversion: failureConversion } as const
      return [
        { ...refund, name: ours ? 'refund_made' : 'refunded', conversion },
        ...(failed ? [{ ...refund, ...failure }] : []),
      ]
    }),
    ...chargebacks.flatMap(closingFacts),
    ...reversals.map(
      ({ id, amountCents, conversion }): Fact => ({
        name: 'transfer_reversed',
        objectId: id,
        amount: amountCents,
        conversion,
      }),
    ),
  ]
}

function openingFact(chargeback: Chargeback): Fact {
  const { id: objectId, amountCents: amount, isInquiry } = chargeback
  return { objectId, chargeback, amount, name: isInquiry ? 'inquiry_opened' : 'dispute_opened' }
}

function closingFacts(chargeback: Chargeback): Fact[] {
  const closed = outcomeFact(chargeback)
  return closed ? [{ objectId: chargeback.id, chargeback, ...closed }] : []
}

function outcomeFact({ outcome, transactions }: Chargeback): Pick<Fact, 'name' | 'amount'> | null {
  const kept = transactions.reduce((sum, { takenCents }) => sum + takenCents, 0)
  switch (outcome) {
    case 'open':
      return null
    case 'won':
      return { name: 'dispute_won', amount: 0 }
    case 'closed':
      return { name: 'inquiry_closed', amount: 0 }
    case 'lost':
      return { name: 'dispute_lost', amount: kept }
    case 'prevented':
      return kept > 0 ? { name: 'dispute_lost', amount: kept } : { name: 'dispute_prevented', amount: 0 }
  }
}

/**
 * Thrown if a transfer or another refund must finish first. The fact is not recorded and will be applied
 * later.
 */
export class NotYet extends Error {}

interface Books {
  tx: Tx
  payment: Payment
  payout: Payout | undefined
  fact: Fact
  cover: Cover
}

/** Applies a fact to a payment, its payout and the ledger. Idempotent. `MEANINGS` decides what happens. */
export async function applyFact(tx: Tx, intentId: string, fact: Fact): Promise<void> {
  const payment = await lockPaymentByIntent(tx, intentId)
  if (!payment) return
  const payout = isInEscrow(payment.status) ? undefined : await findPayoutOf(tx, payment.id)
  const situation = situationOf(payment.status, payout)
  if (!situation) throw new NotYet('the payment is not held yet')
  const isNew = await providerQueries.recordFact(tx, payment, fact)
  // A refund may settle later than it was made.
  await bookConversion(tx, payment, fact.conversion)
  if (!isNew) return
  const steps = MEANINGS[fact.name][situation]
  if (steps.includes('wait')) throw new NotYet('a transfer is under way')
  const reported = { ...payment, refund: payment.refundCents }
  const cover = coverOf(reported, payout ? dueCents(payout) : 0, fact, steps)
  const books = { tx, payment, payout, fact, cover }
  await post(tx, ...factPostings(reported, fact, cover))
  const { chargeback } = fact
  if (chargeback) {
    const details = `${describeChargeback(chargeback)} (${chargeback.outcome})`
    await addTimelineEntry(tx, payment.id, { action: 'chargeback', actor: 'provider', details })
  }
  let current = payment
  for (const step of steps) current = await takeStep(step, { ...books, payment: current })
}

/** Returns the payment after the step. */
async function takeStep(step: Step, books: Books): Promise<Payment> {
  const { tx, payment, payout, fact, cover } = books
  switch (step) {
    case 'return_from_escrow':
      return returnFromEscrow(books)
    case 'put_back_into_escrow':
      return savePayment(tx, payment, {
        ...noSettlement(),
        returned: payment.returned - fact.amount,
      })
    case 'take_from_payout':
      if (payout) await takeFromPayout(tx, payout, cover.payout)
      return payment
    case 'count_as_refund':
      return countAsRefund(books)
    case 'owe_refund':
      return oweRefund(books)
    case 'open_dispute':
      return openByBank(books)
    case 'await_bank':
      return awaitBank(books)
    case 'resume':
      return resume(books)
    case 'freeze_payout':
      if (payout) await freezePayout(tx, payout)
      await notify(tx, payoutFrozen(payment, fact.objectId))
      return payment
    case 'unfreeze_payout':
      await unfreezePayout(tx, payment.id)
      return payment
    case 'reverse_transfer':
      // A payout by bank has already gone to the seller.
      if (payout?.method !== 'transfer') return payment
      await freezePayout(tx, payout)
      await collectLoss(tx, payment, causeOf(fact))
      await notify(tx, payoutFrozen(payment, fact.objectId))
      return payment
    case 'settle_taken_back':
      if (payout) await settleTakenBack(tx, payout, fact.objectId)
      return payment
    case 'collect_loss':
      await collectLoss(tx, payment, causeOf(fact))
      return payment
    case 'book_reversal':
      if (payout) await recordReversal(tx, payout, fact.amount)
      return payment
    case 'book_loss':
    case 'wait':
      return payment
  }
}

const causeOf = ({ chargeback, objectId: causeId }: Fact): LossCause => ({
  reason: chargeback ? 'chargeback' : 'refund',
  causeId,
})

export const refundDone = (now: Date) => ({
  refundedAt: now,
  refundFailedAt: null,
  refundFailure: null,
  refundAskedAt: null,
})

async function returnFromEscrow({ tx, payment, fact, cover }: Books): Promise<Payment> {
  const returned = payment.returned + cover.escrow
  // A settlement was proposed for the amount that was in escrow before.
  const saved = await savePayment(tx, payment, { ...noSettlement(), returned })
  if (returned < payment.amount) {
    await notify(tx, paymentRefunded(payment, cover.escrow, fact.objectId))
    return saved
  }
  const cause = fact.chargeback ? 'chargeback' : 'refund'
  return applyMove(tx, saved, { name: 'reimburse', actor: 'provider', cause })
}

async function countAsRefund({ tx, payment, fact, cover: { refund } }: Books): Promise<Payment> {
  if (refund === 0) return payment
  if (refund === payment.refundCents) {
    if (fact.name === 'refund_made' && (await providerQueries.hasFailedRefund(tx, payment.id)))
      await notify(tx, refundSentAgain(payment, refund, fact.objectId))
    return savePayment(tx, payment, refundDone(tx.now))
  }
  return savePayment(tx, payment, {
    ...keepRuledRefund(payment),
    refundCents: (payment.refundCents ?? 0) - refund,
    // A refund that failed earlier may already count as returned.
    returned: Math.min(payment.amount, payment.returned + refund),
  })
}

/** The returned amount is owed to the buyer again, in addition to a refund that failed before. */
async function oweRefund({ tx, payment, fact }: Books): Promise<Payment> {
  const owed = payment.refundedAt ? 0 : (payment.refundCents ?? 0)
  const mayBeInProgress = owed > 0 && !payment.refundFailedAt
  if (mayBeInProgress) throw new NotYet('another refund is under way')
  await notify(tx, refundFailed(payment, fact.amount, fact.objectId))
  return savePayment(tx, payment, {
    // Our own refund is the ruled one or a later one.
    ...(!fact.ours && keepRuledRefund(payment)),
    refundCents: owed + fact.amount,
    refundedAt: null,
    refundFailedAt: tx.now,
    refundFailure: fact.failureReason ?? null,
    refundAskedAt: null,
    refundAttempt: payment.refundAttempt + 1,
  })
}

async function openByBank({ tx, payment, fact: { chargeback } }: Books): Promise<Payment> {
  if (!chargeback) throw new Error('a dispute needs a chargeback')
  await providerQueries.markAsOpener(tx, chargeback.id)
  const reason = describeChargeback(chargeback)
  return applyMove(tx, payment, { name: 'dispute', actor: 'provider', reason })
}

async function awaitBank({ tx, payment }: Books): Promise<Payment> {
  return savePayment(tx, payment, { bankDecides: true, disputeWords: await composeSearchWords(tx, payment) })
}

/** The bank no longer decides, unless another chargeback is open. */
async function resume({ tx, payment, fact }: Books): Promise<Payment> {
  const bankRuling = rulingOf(payment, fact)
  const chargebacks = await providerQueries.findChargebacks(tx, payment.id)
  if (chargebacks.some(({ closedAt }) => closedAt === null)) return savePayment(tx, payment, { bankRuling })
  const resumed = await savePayment(tx, payment, { bankDecides: false, bankRuling })
  const wasOpenedByBank = chargebacks.some(({ openedDispute }) => openedDispute)
  if (!isInDispute(resumed.status) || !wasOpenedByBank) return resumed
  await providerQueries.clearOpeners(tx, payment.id)
  return applyMove(tx, resumed, { name: 'resume', actor: 'provider' })
}

/** If the bank has decided another chargeback against the seller, winning this one does not change that. */
function rulingOf({ amount, bankRuling }: Payment, { name, amount: lost }: Fact): Payment['bankRuling'] {
  if (name === 'dispute_lost') return lost < amount ? 'resolved_partial' : 'resolved_buyer'
  return bankRuling ?? 'resolved_seller'
}
