import type { Database, Tx } from '../../platform/database.ts'
import type { Account, CardProvider } from '../../providers/stripe/card-provider.ts'
import { findSellerOfAccount, setPayoutsEnabled } from './queries.ts'
import { enqueueSellerPayouts } from './send-payouts.ts'

/** After the provider has reported a change of an account: tries its unpaid payouts, if it is a seller's. */
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

/** Stores what the provider says about an account. Null: it does not know it. */
export const recordAccount = (tx: Tx, accountId: string, account: Account | null) =>
  setPayoutsEnabled(tx, accountId, account?.payoutsEnabled ?? false)
