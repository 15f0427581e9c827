import { limitsOf } from '@sought/contract/market-settings'
import { earliestRelease, holdFor, type WaitsFor, waitEnd } from '@sought/escrow/payment-methods'
import { chargebackPosting, type ProviderFee, providerFeePosting } from '@sought/escrow/postings'
import type { Encryption } from '../../../core/encryption.ts'
import { refuse } from '../../../core/errors.ts'
import type { Tx } from '../../../database/database.ts'
import { findSettings, withDefaults } from '../../../database/market-settings.ts'
import { announce } from '../../../http/events.ts'
import type { Actor } from '../../../http/session.ts'
import { UnreadableAmount } from '../../../providers/stripe/amounts.ts'
import {
  type CardProvider,
  type ChargeHistory,
  type Intent,
  isForeign,
  ProviderDown,
  ProviderFailed,
} from '../../../providers/stripe/card-provider.ts'
import type { Services } from '../../../services.ts'
import { lockAndCheckPaid } from '../../board/requests/reservation.ts'
import { findAdmins } from '../../identity/accounts/actions.ts'
import { oweReportedFee } from '../debts/actions.ts'
import { bookConversion, post } from '../ledger/post.ts'
import { lookUpBank, markPaid } from '../payouts/manual-payouts.ts'
import { enqueueOwedPayouts, findPayoutToSend, paySeller } from '../payouts/send-payouts.ts'
import { resumePayments, setAside } from '../set-aside/set-aside.ts'
import { applyFact, type Fact, factsIn, NotYet } from './apply-fact.ts'
import { applyMove } from './apply-move.ts'
import { recordFraudSignals } from './fraud-signals.ts'
import { findPayoutWait } from './payout-wait.ts'
import { recordFact, saveChargeback } from './provider-queries.ts'
import * as queries from './queries.ts'
import { lockPaymentByIntent, type Payment, savePayment } from './stored-payment.ts'

/* Reads payments from the provider and applies its answers. No other source is trusted (ADR 5). */

const SYNC_BATCH = 50

type HoldResult = 'held' | 'refunded' | 'unchanged' | 'not found'

type SyncResult = 'synced' | 'not found' | 'not yet' | 'foreign'

/** Holds a payment if it was paid. */
export async function syncPayment(
  services: Pick<Services, 'database' | 'log' | 'config'>,
  cards: CardProvider,
  intentId: string,
): Promise<HoldResult | 'foreign'> {
  const intent = await cards.readIntent(intentId)
  if (!intent) return 'not found'
  if (await isForeign(cards, intent)) return 'foreign'
  const result = await services.database.transact((tx) => holdIfPaid(tx, intent, services))
  return result === 'not found' ? strangerTo(intent) : result
}

/** Without our payment: ours if it names our installation, otherwise of another product that uses the same account. */
const strangerTo = ({ installation }: Intent) => (installation ? 'not found' : 'foreign')

/**
 * Holds a payment if it was paid, and applies everything new about its charge. The provider's answer overrides our
 * state (ADR 41). Each fact has its own transaction and counts once, so events may be lost, late or repeated.
 */
export async function syncCharge(
  services: Services,
  cards: CardProvider,
  intentId: string,
): Promise<SyncResult> {
  const { database } = services
  const intent = await cards.readIntent(intentId)
  if (!intent) return 'not found'
  if (await isForeign(cards, intent)) return 'foreign'
  const held = await database.transact((tx) => holdIfPaid(tx, intent, services))
  if (held === 'not found') return strangerTo(intent)
  if (intent.status !== 'paid') return 'synced'
  const history = await cards.readHistory(intentId)
  await database.transact((tx) => recordChargebacks(tx, intentId, history))
  if (history.fraudSignals.length > 0)
    await database.transact((tx) => recordFraudSignals(tx, intentId, history))
  const outcome = await applyFacts(services, intentId, factsIn(history))
  if (history.refunds.length > 0) await database.transact((tx) => recordPendingRefunds(tx, intentId, history))
  return outcome
}

/** Only facts about the same object wait for each other. No other fact is hidden by one that waits or fails. */
async function applyFacts(
  { database }: Services,
  intentId: string,
  facts: Fact[],
): Promise<'synced' | 'not yet'> {
  const notApplied = new Set<string>()
  const errors: unknown[] = []
  for (const fact of facts) {
    if (notApplied.has(fact.objectId)) continue
    try {
      await database.transact((tx) => applyFact(tx, intentId, fact))
    } catch (error) {
      notApplied.add(fact.objectId)
      if (!(error instanceof NotYet)) errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
  return notApplied.size > 0 ? 'not yet' : 'synced'
}

/** Needs only one call to the provider if nothing has happened to the charge. */
export async function syncIfChanged(
  services: Services,
  cards: CardProvider,
  intentId: string,
): Promise<SyncResult> {
  const intent = await cards.readIntent(intentId)
  if (intent?.status !== 'paid') return 'not found'
  return intent.hasHistory ? syncCharge(services, cards, intentId) : 'synced'
}

/**
 * Thrown if the provider does not know a charge, or reports something that cannot be applied yet. Its money must not
 * move.
 */
export class NotClear extends Error {
  constructor(result: Exclude<SyncResult, 'synced'>) {
    super(NOT_CLEAR[result])
  }
}

const NOT_CLEAR = {
  'not found': 'The provider does not know the charge',
  'not yet': 'Something that the provider reports waits for a transfer or a refund',
  foreign: 'The charge belongs to another installation',
} as const

/** Whether a job should not be retried at once, but its payment be listed on the desk. */
export const isSetAside = (error: unknown): boolean =>
  error instanceof NotClear || error instanceof UnreadableAmount

/** Asks the provider about a charge before its money moves, and applies its answer. */
export async function requireClear(services: Services, cards: CardProvider, intentId: string): Promise<void> {
  const result = await syncIfChanged(services, cards, intentId)
  if (result !== 'synced') throw new NotClear(result)
}

/** Asks the provider before money moves, and applies its answer. Refuses if it does not answer, or knows nothing. */
export async function checkCharge(
  services: Services,
  intentId: string | null,
  sync: typeof syncIfChanged = syncIfChanged,
): Promise<SyncResult> {
  const { cards } = services
  if (!cards || !intentId) return 'synced'
  const result = await askOrRefuse(() => sync(services, cards, intentId))
  if (result === 'not found' || result === 'foreign') throw refuse('provider_failed')
  return result
}

export async function askOrRefuse<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask()
  } catch (error) {
    throw error instanceof ProviderFailed ? refuse('provider_failed') : error
  }
}

/**
 * Pays a payout after asking the provider about its charge: a chargeback or a refund may have come first. A transfer
 * that was started is finished in any case, because it may have been made, and then what waited for it is applied.
 */
export async function paySellerIfClear(services: Services, payoutId: number): Promise<void> {
  const { cards, database } = services
  const payout = await findPayoutToSend(database, payoutId)
  if (!payout) return
  const { intentId, paymentId, status } = payout
  if (!cards || !intentId) return paySeller(services, payoutId)
  try {
    if (status === 'owed') await requireClear(services, cards, intentId)
  } catch (error) {
    if (!isSetAside(error)) throw error
    return setAside(services, 'payout', paymentId, error)
  }
  await paySeller(services, payoutId)
  if (status === 'sending') await syncIfChanged(services, cards, intentId)
  await database.transact((tx) => resumePayments(tx, 'payout', [paymentId]))
}

/** Refuses to pay a payout by bank while something about its charge is unknown or not applied. */
async function checkPayout(services: Services, id: number): Promise<void> {
  const payout = await findPayoutToSend(services.database, id)
  if (payout && (await checkCharge(services, payout.intentId)) === 'not yet') throw refuse('provider_failed')
}

/** Gives an admin the bank account for a payout, after asking the provider about its charge. */
export async function lookUpBankIfClear(
  services: Services,
  encryption: Encryption,
  id: number,
  admin: Actor,
) {
  await checkPayout(services, id)
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
  await checkPayout(services, id)
  return markPaid(services.database, encryption, id, reference, admin)
}

/**
 * Holds paid payments whose webhook never arrived. The longer a payment has been pending, the less often it is
 * checked; reopening its checkout resets the interval.
 */
export async function syncPendingPayments(services: Services): Promise<void> {
  const { cards, database, config } = services
  if (!cards) return
  for (;;) {
    const claimed = await database.transact((tx) =>
      queries.claimPendingPayments(tx, config.escrowSweepSeconds, SYNC_BATCH),
    )
    const checked: number[] = []
    for (const { id, intentId } of claimed) {
      if (!intentId) continue
      try {
        await syncPayment(services, cards, intentId)
        checked.push(id)
      } catch (error) {
        if (error instanceof ProviderDown) return
        await setAside(services, 'charge', id, error)
      }
    }
    await database.transact((tx) => resumePayments(tx, 'charge', checked))
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
    await returnMischarge(tx, payment, intent)
    return 'refunded'
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
      hold: holdFor(method, {
        ...settings,
        highValue: limitsOf(settings, payment.currency).highValueCents,
      }),
      payoutWaitsUntil: latest(payoutWait, earliestRelease(method, tx.now)),
    })
  }
  await bookConversion(tx, payment, intent.conversion)
  if (intent.fee) await bookFee(tx, payment, intent.fee)
  return isDuplicate ? 'refunded' : 'held'
}

/** The card was charged something else than agreed: everything goes back to it. */
async function returnMischarge(tx: Tx, payment: Payment, intent: Intent): Promise<void> {
  const { chargedAt, method, cardFingerprint, cardLast4, receivedCents, currency } = intent
  // A payment that waits has reserved the request.
  const current = payment.waitingUntil
    ? await applyMove(tx, payment, { name: 'stop_waiting', actor: 'provider', cause: 'failed' })
    : payment
  await applyMove(tx, current, {
    name: 'return_mischarge',
    actor: 'provider',
    charge: { chargedAt: chargedAt ?? tx.now, method, cardFingerprint, cardLast4 },
    received: { cents: receivedCents, currency },
    admins: await findAdmins(tx),
  })
  if (intent.fee) await bookFee(tx, payment, intent.fee)
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
    await saveChargeback(tx, payment, chargeback)
    for (const transaction of chargeback.transactions) {
      const { id: objectId, takenCents: amount } = transaction
      if (await recordFact(tx, payment, { name: 'chargeback', objectId, amount }))
        await post(tx, chargebackPosting(payment, objectId, amount))
      await bookConversion(tx, payment, transaction.conversion)
      await bookFee(tx, payment, transaction)
    }
  }
}

/** A refund that the provider has made may reach the buyer days later. */
async function recordPendingRefunds(tx: Tx, intentId: string, { refunds }: ChargeHistory): Promise<void> {
  const payment = await lockPaymentByIntent(tx, intentId)
  const refundPending = refunds.some(({ pending }) => pending)
  if (payment && payment.refundPending !== refundPending) await savePayment(tx, payment, { refundPending })
}

/** Books the provider's fee for a transaction. Returns false if it was booked before. */
async function bookFee(tx: Tx, payment: Payment, fee: ProviderFee): Promise<boolean> {
  const isNew = await recordFact(tx, payment, { name: 'fee', objectId: fee.id, amount: 0 })
  if (isNew) await post(tx, providerFeePosting(payment, fee))
  return isNew
}

async function addToDebt(tx: Tx, payment: Payment): Promise<void> {
  if (await oweReportedFee(tx, payment)) await enqueueOwedPayouts(tx, payment.sellerId)
}
