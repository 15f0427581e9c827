import { providerFeePosting } from '@sought/escrow/postings'
import type { FastifyBaseLogger } from 'fastify'
import type { Tx } from '../../../database/database.ts'
import { findSettings } from '../../../database/market-settings.ts'
import { announce } from '../../../http/events.ts'
import type { CardProvider, Fee, Intent } from '../../../providers/stripe/card-provider.ts'
import type { Services } from '../../../services.ts'
import { lockAndCheckPaid } from '../../board/requests/reservation.ts'
import { post } from '../ledger/post.ts'
import { applyMove } from './apply-move.ts'
import { recordFact } from './fact-queries.ts'
import { lockPaymentByIntent } from './lock-payment.ts'
import { claimPendingPayments, type Payment, setSubmitted } from './queries.ts'

const SYNC_BATCH = 50

type SyncResult = 'held' | 'refunded' | 'unchanged' | 'not found'

/** Whether an object belongs to another database that uses the same account (ADR 39). */
export async function isForeign(
  cards: CardProvider,
  { installation }: { installation?: string | null | undefined },
): Promise<boolean> {
  return Boolean(installation) && installation !== (await cards.readInstallation())
}

/** Reads an intent from the provider and holds its payment if it was paid. No other source is trusted (ADR 5). */
export async function syncPayment(
  { database, log }: Pick<Services, 'database' | 'log'>,
  cards: CardProvider,
  intentId: string,
): Promise<SyncResult | 'foreign'> {
  const intent = await cards.readIntent(intentId)
  if (!intent) return 'not found'
  if (await isForeign(cards, intent)) return 'foreign'
  return database.transact((tx) => holdIfPaid(tx, intent, log))
}

/**
 * Holds the payment of a paid intent. Idempotent. If another payment has paid for the request in the
 * meantime, this one is refunded (ADR 49).
 */
export async function holdIfPaid(tx: Tx, intent: Intent, log: FastifyBaseLogger): Promise<SyncResult> {
  const payment = await lockPaymentByIntent(tx, intent.id)
  if (!payment) return 'not found'
  if (intent.status !== 'paid') {
    await recordSubmission(tx, payment, intent)
    return 'unchanged'
  }
  if (payment.status !== 'pending') {
    // The provider may report its fee later than the charge.
    if (intent.fee) await bookFee(tx, payment, intent.fee)
    return 'unchanged'
  }
  if (intent.receivedCents !== payment.amount || intent.currency !== payment.currency) {
    log.error(
      { paymentId: payment.id, intent },
      'the card was charged a different amount or currency than agreed',
    )
    return 'unchanged'
  }
  const isDuplicate = await lockAndCheckPaid(tx, payment.wantedItemId)
  const { chargedAt, cardFingerprint, cardLast4 } = intent
  const charge = { chargedAt: chargedAt ?? tx.now, cardFingerprint, cardLast4 }
  if (isDuplicate) await applyMove(tx, payment, { name: 'return_duplicate', actor: 'provider', charge })
  else {
    const hold = await findSettings(tx)
    await applyMove(tx, payment, { name: 'hold', actor: 'provider', charge, hold })
  }
  if (intent.fee) await bookFee(tx, payment, intent.fee)
  return isDuplicate ? 'refunded' : 'held'
}

/** A payment counts as made once its card step was submitted. If the card then fails, it is a draft again. */
async function recordSubmission(tx: Tx, payment: Payment, { status }: Intent): Promise<void> {
  const isSubmitted = status === 'processing'
  if (payment.status !== 'pending' || isSubmitted === (payment.submittedAt !== null)) return
  await setSubmitted(tx, payment.id, isSubmitted ? tx.now : null)
  await announce(tx, [payment.buyerId, payment.sellerId], { about: 'payments' })
}

/** Books the provider's fee for a transaction. Idempotent. */
export async function bookFee(tx: Tx, payment: { id: number }, { id, feeCents }: Fee): Promise<void> {
  const isNew = await recordFact(tx, payment.id, { name: 'fee', objectId: id, cents: 0 })
  if (isNew) await post(tx, providerFeePosting(payment, id, feeCents))
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
      claimPendingPayments(tx, config.escrowSweepSeconds, SYNC_BATCH),
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
