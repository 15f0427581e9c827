import type { Database, Tx } from '../../../database/database.ts'
import { announce } from '../../../http/events.ts'
import type { CardProvider } from '../../../providers/stripe/card-provider.ts'
import { notify } from '../../notifications/actions.ts'
import { payoutAccountLost } from './notifications.ts'
import { removeAccount } from './queries.ts'

/** Removes a seller's connected account if the provider says that we no longer have access to it. */
export async function forgetLostAccount(
  { transact }: Database,
  cards: CardProvider,
  accountId: string,
): Promise<void> {
  const account = await cards.readAccount(accountId)
  if (account === null) await transact((tx) => forgetAccount(tx, accountId))
}

/**
 * Unpaid payouts wait until the seller sets up payouts again. A payout that is being sent keeps its
 * destination: the provider refuses the transfer, and then the payout is owed again.
 */
async function forgetAccount(tx: Tx, accountId: string): Promise<void> {
  for (const sellerId of await removeAccount(tx, accountId)) {
    await announce(tx, [sellerId], { about: 'payments' })
    await notify(tx, payoutAccountLost(sellerId, accountId))
  }
}
