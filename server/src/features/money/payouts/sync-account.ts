import type { Database, Tx } from '../../../database/database.ts'
import type { Account, CardProvider } from '../../../providers/stripe/card-provider.ts'
import { findSellerOfAccount, setPayoutsEnabled } from './queries.ts'
import { enqueueSellerPayouts } from './send-payouts.ts'

/** After the provider reported a change of an account: if it belongs to a seller, attempts its unpaid payouts. */
export async function syncAccount(
  { transact }: Database,
  cards: CardProvider,
  accountId: string,
): Promise<void> {
  const sellerId = await transact((tx) => findSellerOfAccount(tx, accountId))
  if (!sellerId) return
  const account = await cards.readAccount(accountId)
  await transact(async (tx) => {
    await recordAccount(tx, accountId, account)
    await enqueueSellerPayouts(tx, sellerId)
  })
}

/** Saves the provider's state of an account. Null if the provider does not know the account. */
export const recordAccount = (tx: Tx, accountId: string, account: Account | null) =>
  setPayoutsEnabled(tx, accountId, account?.payoutsEnabled ?? false)
