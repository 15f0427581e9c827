import { earliestRelease, holdFor, type WaitsFor, waitEnd } from '@sought/escrow/payment-methods'
import { chargebackPosting, type ProviderFee, providerFeePosting } from '@sought/escrow/postings'
import type { Encryption } from '../../../core/encryption.ts'
import { refuse } from '../../../core/errors.ts'
import type { Tx } from '../../../database/database.ts'
import { findSettings, withDefaults } from '../../../database/market-settings.ts'
import { announce } from '../../../http/events.ts'
import type { Actor } from '../../../http/session.ts'
import {
  type CardProvider,
  type ChargeHistory,
  type Intent,
  isForeign,
  ProviderFailed,
} from '../../../providers/stripe/card-provider.ts'
import type { Services } from '../../../services.ts'
import { lockAndCheckPaid } from '../../board/requests/reservation.ts'
import { oweReportedFee } from '../debts/actions.ts'
import { bookConversion, post } from '../ledger/post.ts'
import { lookUpBank, markPaid } from '../payouts/manual-payouts.ts'
import { enqueueOwedPayouts, findPayoutIntent, paySeller } from '../payouts/send-payouts.ts'
import { applyFact, factsIn, NotYet } from './apply-fact.ts'
import { applyMove } from './apply-move.ts'
import { recordFraudSignals } from './fraud-signals.ts'
import { findPayoutWait } from './payout-wait.ts'
import { recordFact, saveChargeback } from './provider-queries.ts'
import * as queries from './queries.ts'
import { lockPaymentByIntent, type Payment } from './stored-payment.ts'

/* Reads payments from the provider and applies its answers. No other source is trusted (ADR 5). */

const SYNC_BATCH = 50

type HoldResult = 'held' | 'refunded' | 'unchanged' | 'not found'

/** Holds a payment if it was paid. */
export async function syncPayment(
  services: Pick<Services, 'database' | 'log' | 'config'>,
  cards: CardProvider,
  intentId: string,
): Promise<HoldResult | 'foreign'> {
  const intent = await cards.readIntent(intentId)
  if (!intent) return 'not found'
  if (await isForeign(cards, intent)) return 'foreign'
  return services.database.transact((tx) => holdIfPaid(tx, intent, services))
}

/**
 * Holds a payment if it was paid, and applies everything new about its charge. The provider's answer overrides our
 * state (ADR 41). Each fact has its own transaction and counts once, so events may be lost, late or repeated.
 */
export async function syncCharge(
  services: Services,
  cards: CardProvider,
  intentId: string,
): Promise<'synced' | 'not found' | 'not yet' | 'foreign'> {
  const { database } = services
  const intent = await cards.readIntent(intentId)
  if (!intent) return 'not found'
  if (await isForeign(cards, intent)) return 'foreign'
  const held = await database.transact((tx) => holdIfPaid(tx, intent, services))
  if (held === 'not found') return held
  if (intent.status !== 'paid') return 'synced'
  const history = await cards.readHistory(intentId)
  await database.transact((tx) => recordChargebacks(tx, intentId, history))
  if (history.fraudSignals.length > 0)
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

/** Pays a payout after asking the provider about its charge: a chargeback or a refund may have come first. */
export async function paySellerIfClear(services: Services, payoutId: number): Promise<void> {
  const { cards, database } = services
  const intentId = await findPayoutIntent(database, payoutId)
  if (cards && intentId) await syncIfChanged(services, cards, intentId)
  await paySeller(services, payoutId)
}

/** Gives an admin the bank account for a payout, after asking the provider about its charge. */
export async function lookUpBankIfClear(
  services: Services,
  encryption: Encryption,
  id: number,
  admin: Actor,
) {
  await checkCharge(services, await findPayoutIntent(services.database, id))
  return lookUpBank(services.database, encryption, id, admin)
}

/** Asks again, because a chargeback may have come since the admin looked up the bank account. */
export async function markPaidIfClear(
  services: Services,
  encryption: Encryption,
  id: number,
  reference: string,
  admin: Actor,
) {
  await checkCharge(services, await findPayoutIntent(services.database, id))
  return markPaid(services.database, encryption, id, reference, admin)
}

/**
 * Holds paid payments whose webhook never arrived. The longer a payment has been pending, the less often it is
 * checked; reopening its checkout resets the interval.
 */
export async function syncPendingPayments(services: Services): Promise<void> {
  const { cards, database, config, log } = services
  if (!cards) return
  for (;;) {
    const claimed = await database.transact((tx) =>
      queries.claimPendingPayments(tx, config.escrowSweepSeconds, SYNC_BATCH),
    )
    for (const { intentId } of claimed) {
      if (!intentId) continue
      await syncPayment(services, cards, intentId).catch((error) =>
        log.warn({ err: error, intentId }, 'could not sync a pending payment'),
      )
    }
    if (claimed.length < SYNC_BATCH) return
  }
}

/**
 * Holds the payment of a paid intent. Idempotent. If another payment has paid for the request in the
 * meantime, this one is refunded (ADR 49).
 */
export async function holdIfPaid(
  tx: Tx,
  intent: Intent,
  { config, log }: Pick<Services, 'config' | 'log'>,
): Promise<HoldResult> {
  const payment = await lockPaymentByIntent(tx, intent.id)
  if (!payment) return 'not found'
  if (intent.status !== 'paid') {
    await recordSubmission(tx, payment, intent)
    return 'unchanged'
  }
  if (payment.status !== 'pending') {
    // The provider may report its fee later than the charge, and also than the cancellation.
    await bookConversion(tx, payment, intent.conversion)
    if (intent.fee && (await bookFee(tx, payment, intent.fee))) await addToDebt(tx, payment)
    return 'unchanged'
  }
  if (intent.receivedCents !== payment.amount || intent.currency !== payment.currency) {
    log.error(
      { paymentId: payment.id, intent },
      'the card was charged a different amount or currency than agreed',
    )
    return 'unchanged'
  }
  // A payment that waits has reserved the request for itself.
  const isDuplicate = (await lockAndCheckPaid(tx, payment.wantedItemId)) && payment.waitingUntil === null
  const { chargedAt, method, cardFingerprint, cardLast4 } = intent
  const charge = { chargedAt: chargedAt ?? tx.now, method, cardFingerprint, cardLast4 }
  if (isDuplicate) await applyMove(tx, payment, { name: 'return_duplicate', actor: 'provider', charge })
  else {
    const settings = withDefaults(await findSettings(tx), config.settingDefaults)
    const payoutWait = await findPayoutWait(tx, { ...payment, ...charge }, settings)
    await applyMove(tx, payment, {
      name: 'hold',
      actor: 'provider',
      charge,
      hold: holdFor(method, settings),
      payoutWaitsUntil: latest(payoutWait, earliestRelease(method, tx.now)),
    })
  }
  await bookConversion(tx, payment, intent.conversion)
  if (intent.fee) await bookFee(tx, payment, intent.fee)
  return isDuplicate ? 'refunded' : 'held'
}

const latest = (one: Date | null, other: Date | null) => (one && other && one > other ? one : (other ?? one))

/**
 * A payment counts as made once it was submitted. If it then fails, it is a draft again. If its money takes days, it
 * waits and reserves the request, unless another payment has done so (ADR 98).
 */
async function recordSubmission(tx: Tx, payment: Payment, { status, method }: Intent): Promise<void> {
  if (payment.status !== 'pending') return
  const waitsFor = whoMustAct[status]
  if (!waitsFor) {
    if (payment.waitingUntil)
      await applyMove(tx, payment, { name: 'stop_waiting', actor: 'provider', cause: 'failed' })
    else if (payment.submittedAt) await saveSubmission(tx, payment, { submittedAt: null, method: null })
    return
  }
  if (!method) throw new Error('a submitted payment must have a method')
  const isNew = payment.submittedAt === null || payment.method === null
  const hasChanged = payment.waitsFor !== null && payment.waitsFor !== waitsFor
  if (!isNew && !hasChanged) return
  const canReserve = hasChanged || !(await lockAndCheckPaid(tx, payment.wantedItemId))
  if (canReserve && waitEnd(method, waitsFor, tx.now))
    await applyMove(tx, payment, { name: 'wait', actor: 'provider', method, waitsFor })
  else await saveSubmission(tx, payment, { submittedAt: payment.submittedAt ?? tx.now, method })
}

const whoMustAct: Partial<Record<Intent['status'], WaitsFor>> = { waiting: 'buyer', processing: 'bank' }

async function saveSubmission(
  tx: Tx,
  { id, buyerId, sellerId }: Payment,
  submission: Pick<Payment, 'submittedAt' | 'method'>,
): Promise<void> {
  await queries.setSubmitted(tx, id, submission)
  await announce(tx, [buyerId, sellerId], { about: 'payments' })
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
      await bookConversion(tx, payment, transaction.conversion)
      await bookFee(tx, payment, transaction)
    }
  }
}

/** Books the provider's fee for a transaction. Returns false if it was booked before. */
async function bookFee(tx: Tx, payment: Payment, fee: ProviderFee): Promise<boolean> {
  const isNew = await recordFact(tx, payment.id, { name: 'fee', objectId: fee.id, cents: 0 })
  if (isNew) await post(tx, providerFeePosting(payment, fee))
  return isNew
}

async function addToDebt(tx: Tx, payment: Payment): Promise<void> {
  if (await oweReportedFee(tx, payment)) await enqueueOwedPayouts(tx, payment.sellerId)
}
