import { chargebackPosting } from '@sought/escrow/postings'
import { refuse } from '../../../core/errors.ts'
import type { Tx } from '../../../database/database.ts'
import {
  type CardProvider,
  type Chargeback,
  type ChargeHistory,
  ProviderFailed,
} from '../../../providers/stripe/card-provider.ts'
import type { Services } from '../../../services.ts'
import { post } from '../ledger/post.ts'
import { applyFact, type Fact, NotYet } from './apply-fact.ts'
import { recordFact, saveChargeback } from './fact-queries.ts'
import { recordFraudSignals } from './fraud-signals.ts'
import { bookFee, holdIfPaid, isForeign } from './hold-payment.ts'
import { lockPaymentByIntent } from './lock-payment.ts'

type Outcome = 'synced' | 'not found' | 'not yet' | 'foreign'

/**
 * Reads a charge from the provider and applies everything new. The provider's answer overrides our state (ADR
 * 41). Each fact has its own transaction and counts once, so events may be lost, late or repeated.
 */
export async function syncCharge(
  services: Services,
  cards: CardProvider,
  intentId: string,
): Promise<Outcome> {
  const { database, log } = services
  const intent = await cards.readIntent(intentId)
  if (!intent) return 'not found'
  if (await isForeign(cards, intent)) return 'foreign'
  const held = await database.transact((tx) => holdIfPaid(tx, intent, log))
  if (held === 'not found') return held
  if (intent.status !== 'paid') return 'synced'
  const history = await cards.readHistory(intentId)
  await database.transact((tx) => recordChargebacks(tx, intentId, history))
  await database.transact((tx) => recordFraudSignals(tx, intentId, history))
  try {
    for (const fact of factsIn(history)) await database.transact((tx) => applyFact(tx, intentId, fact))
    return 'synced'
  } catch (error) {
    if (error instanceof NotYet) return 'not yet'
    throw error
  }
}

/** Needs only one call to the provider if nothing has happened to the charge. */
export async function syncIfChanged(
  services: Services,
  cards: CardProvider,
  intentId: string,
): Promise<void> {
  const intent = await cards.readIntent(intentId)
  if (intent?.hasHistory) await syncCharge(services, cards, intentId)
}

/** Asks the provider before money moves, and applies its answer. Refuses if it does not answer. */
export async function checkCharge(
  services: Services,
  intentId: string | null,
  sync: (services: Services, cards: CardProvider, intentId: string) => Promise<unknown> = syncIfChanged,
): Promise<void> {
  const { cards } = services
  if (!cards || !intentId) return
  try {
    await sync(services, cards, intentId)
  } catch (error) {
    throw error instanceof ProviderFailed ? refuse('provider_failed') : error
  }
}

/** Saves the state of the chargebacks and the amounts that the bank took and returned. This needs no decision. */
async function recordChargebacks(tx: Tx, intentId: string, { chargebacks }: ChargeHistory): Promise<void> {
  const payment = await lockPaymentByIntent(tx, intentId)
  if (!payment) return
  for (const chargeback of chargebacks) {
    await saveChargeback(tx, payment.id, chargeback)
    for (const transaction of chargeback.transactions) {
      const { id: objectId, takenCents: cents } = transaction
      if (await recordFact(tx, payment.id, { name: 'chargeback', objectId, cents }))
        await post(tx, chargebackPosting(payment, objectId, cents))
      await bookFee(tx, payment, transaction)
    }
  }
}

/** Ordered as they can have happened. */
function factsIn({ refunds, chargebacks, reversals }: ChargeHistory): Fact[] {
  return [
    ...refunds.flatMap(({ id, amountCents, failed, failureReason, ours }): Fact[] => {
      const refund = { objectId: id, cents: amountCents, ours }
      return [
        { ...refund, name: ours ? 'refund_made' : 'refunded' },
        ...(failed ? [{ ...refund, name: 'refund_failed' as const, failureReason }] : []),
      ]
    }),
    ...chargebacks.flatMap(chargebackFacts),
    ...reversals.map(
      ({ id, amountCents }): Fact => ({
        name: 'transfer_reversed',
        objectId: id,
        cents: amountCents,
      }),
    ),
  ]
}

function chargebackFacts(chargeback: Chargeback): Fact[] {
  const { id: objectId, amountCents, isInquiry } = chargeback
  const about = { objectId, chargeback }
  const opened: Fact[] = [
    { ...about, name: isInquiry ? 'inquiry_opened' : 'dispute_opened', cents: amountCents },
  ]
  const closed = outcomeFact(chargeback)
  return closed ? [...opened, { ...about, ...closed }] : opened
}

function outcomeFact({ outcome, transactions }: Chargeback): Pick<Fact, 'name' | 'cents'> | null {
  const keptCents = transactions.reduce((sum, { takenCents }) => sum + takenCents, 0)
  switch (outcome) {
    case 'open':
      return null
    case 'won':
      return { name: 'dispute_won', cents: 0 }
    case 'closed':
      return { name: 'inquiry_closed', cents: 0 }
    case 'lost':
      return { name: 'dispute_lost', cents: keptCents }
    case 'prevented':
      return keptCents > 0
        ? { name: 'dispute_lost', cents: keptCents }
        : { name: 'dispute_prevented', cents: 0 }
  }
}
