import type { FastifyBaseLogger } from 'fastify'
import type { Tx } from '../../platform/database.ts'
import type { Services } from '../../platform/services.ts'
import type { CardProvider, Intent } from '../../providers/stripe/card-provider.ts'
import { applyMove } from './apply-move.ts'
import { lockPaymentByIntent } from './lock-payment.ts'
import { claimPendingPayments } from './queries.ts'

const ASK_BATCH = 50

/** What to do about an intent, once it is known how the provider sees it. */
type Found = 'held' | 'nothing to do' | 'no such payment'

/** Asks the provider about an intent and holds its payment if it was paid. Only the provider is believed (ADR 5). */
export async function syncPayment(
  { database, log, config }: Pick<Services, 'database' | 'log' | 'config'>,
  cards: CardProvider,
  intentId: string,
): Promise<Found> {
  const intent = await cards.readIntent(intentId)
  if (!intent) return 'no such payment'
  return database.transact((tx) => holdIfPaid(tx, intent, config.currency, log))
}

/** Holds the payment of an intent that was paid. However often it is called, the money is held once. */
export async function holdIfPaid(
  tx: Tx,
  intent: Intent,
  currency: string,
  log: FastifyBaseLogger,
): Promise<Found> {
  const payment = await lockPaymentByIntent(tx, intent.id)
  if (!payment) return 'no such payment'
  if (payment.status !== 'pending' || intent.status !== 'paid') return 'nothing to do'
  if (intent.receivedCents !== payment.amount || intent.currency !== currency) {
    log.error({ paymentId: payment.id, intent }, 'a card was charged another amount than was agreed')
    return 'nothing to do'
  }
  await applyMove(tx, payment, { name: 'hold', actor: 'provider' })
  return 'held'
}

/**
 * Finds the payments that were made without our hearing of it. A payment that is long in coming is asked
 * about less and less often; opening its checkout again begins anew.
 */
export async function syncPendingPayments(services: Services): Promise<void> {
  const { cards, database, config, log } = services
  if (!cards) return
  for (;;) {
    const claimed = await database.transact((tx) =>
      claimPendingPayments(tx, config.escrowSweepSeconds, ASK_BATCH),
    )
    for (const { intentId } of claimed) {
      if (!intentId) continue
      await syncPayment(services, cards, intentId).catch((error) =>
        log.warn({ err: error, intentId }, 'could not ask about a payment'),
      )
    }
    if (claimed.length < ASK_BATCH) return
  }
}
