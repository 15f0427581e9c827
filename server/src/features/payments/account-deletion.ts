import type { Tx } from '../../platform/database.ts'
import { refuse } from '../../platform/errors.ts'
import type { Services } from '../../platform/services.ts'
import { type CardProvider, ProviderFailed } from '../../providers/stripe/card-provider.ts'
import { findPendingIntents, hasOpenMoney } from './account-deletion-queries.ts'

/*
 * What has to be so before somebody's account can go: no cent of theirs is on its way, and none can be sent
 * on its way any more.
 */

/** Refuses while money of a person's is open. Intents that were ended can no longer bring any. */
export async function refuseIfMoneyOpen(tx: Tx, userId: string, ended: string[]): Promise<void> {
  if (await hasOpenMoney(tx, userId, ended)) throw refuse('money_open')
}

/**
 * Ends every checkout that stands open between a person and anybody else, so that nobody can pay it any more,
 * and answers the intents that are over. Where other money is open already, nothing is ended. No transaction
 * waits for the provider.
 */
export async function cancelCheckouts(
  { database, cards }: Pick<Services, 'database' | 'cards'>,
  userId: string,
): Promise<string[]> {
  const ended: string[] = []
  const pending = await findPendingIntents(database.read, userId)
  await database.transact((tx) => refuseIfMoneyOpen(tx, userId, pending))
  for (const intentId of pending) {
    if (cards && (await isOver(cards, intentId))) ended.push(intentId)
  }
  return ended
}

async function isOver(cards: CardProvider, intentId: string): Promise<boolean> {
  try {
    const intent = await cards.readIntent(intentId)
    if (intent && (intent.status === 'paid' || intent.status === 'processing')) return false
    if (!intent || intent.status === 'canceled') return true
    return (await cards.cancelIntent(intentId))?.status === 'canceled'
  } catch (error) {
    if (!(error instanceof ProviderFailed)) throw error
    // It was paid in between, perhaps.
    if (error.outcome === 'refused') return false
    throw refuse('provider_failed')
  }
}
