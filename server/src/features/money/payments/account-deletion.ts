import { refuse } from '../../../core/errors.ts'
import type { Tx } from '../../../database/database.ts'
import { type CardProvider, ProviderFailed } from '../../../providers/stripe/card-provider.ts'
import type { Services } from '../../../services.ts'
import { eraseBuyerOf, findPendingIntents, hasOpenMoney } from './account-deletion-queries.ts'

export { eraseBuyerOf }

/*
 * An account can be deleted once none of its payments, refunds or payouts is open and no checkout can be paid any
 * more.
 */

/** Canceled intents do not count as open, because they cannot be paid. */
export async function refuseIfMoneyOpen(tx: Tx, userId: string, canceledIntents: string[]): Promise<void> {
  if (await hasOpenMoney(tx, userId, canceledIntents)) throw refuse('money_open')
}

/**
 * Cancels all open checkouts of a user, as buyer and as seller, and returns the canceled intents. Refuses before
 * it cancels anything if the user has other open money. No transaction is open while the provider is called.
 */
export async function cancelCheckouts(
  { database, cards }: Pick<Services, 'database' | 'cards'>,
  userId: string,
): Promise<string[]> {
  const canceled: string[] = []
  const pending = await findPendingIntents(database.read, userId)
  await database.transact((tx) => refuseIfMoneyOpen(tx, userId, pending))
  for (const intentId of pending) {
    if (cards && (await cancelIntent(cards, intentId))) canceled.push(intentId)
  }
  return canceled
}

/** Returns false if the intent was paid or is being paid. */
async function cancelIntent(cards: CardProvider, intentId: string): Promise<boolean> {
  try {
    const intent = await cards.readIntent(intentId)
    if (intent && (intent.status === 'paid' || intent.status === 'processing')) return false
    if (!intent || intent.status === 'canceled') return true
    return (await cards.cancelIntent(intentId))?.status === 'canceled'
  } catch (error) {
    if (!(error instanceof ProviderFailed)) throw error
    // The intent may have been paid since it was read.
    if (error.outcome === 'refused') return false
    throw refuse('provider_failed')
  }
}
