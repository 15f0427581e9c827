import type { Database, Tx } from '../../../database/database.ts'
import { announce } from '../../../http/events.ts'
import type { Account, CardProvider } from '../../../providers/stripe/card-provider.ts'
import { notify } from '../../notifications/actions.ts'
import { payoutAccountLost } from './notifications.ts'
import * as queries from './queries.ts'
import { enqueueSellerPayouts } from './send-payouts.ts'

/** After the provider reported a change of an account: if it belongs to a seller, attempts its unpaid payouts. */
export async function syncAccount(
  { transact }: Database,
  cards: CardProvider,
  accountId: string,
): Promise<void> {
  const sellerId = await transact((tx) => queries.findSellerOfAccount(tx, accountId))
  if (!sellerId) return
  const account = await cards.readAccount(accountId)
  await transact(async (tx) => {
    await recordAccount(tx, accountId, account)
    await enqueueSellerPayouts(tx, sellerId)
  })
}

/** Saves the provider's state of an account. Null if the provider does not know the account. */
export const recordAccount = (tx: Tx, accountId: string, account: Account | null) =>
  queries.setPayoutsEnabled(tx, accountId, account?.payoutsEnabled ?? false)

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
  for (const sellerId of await queries.removeAccount(tx, accountId)) {
    await announce(tx, [sellerId], { about: 'payments' })
    await notify(tx, payoutAccountLost(sellerId, accountId))
  }
}
