import { refuse } from '../../../core/errors.ts'
import type { Tx } from '../../../database/database.ts'
import { updateRows } from '../../../database/rows.ts'
import { users } from '../../../database/schema.ts'
import { enqueueAccountEmail } from '../../notifications/enqueue-emails.ts'
import { followAccount } from '../payouts/account-health.ts'
import { payoutsWaitFrom } from '../payouts/payouts-wait.ts'
import { payoutAccountChangedEmail } from './emails.ts'
import * as queries from './queries.ts'

type Methods = NonNullable<Awaited<ReturnType<typeof queries.lockPayoutMethods>>>
type Change =
  | { stripeConnectAccountId: string | null; payoutsEnabled: false }
  | { bankAccountDetails: string; bankAccountHash: string }

/**
 * Changes the destination of a seller's payouts. `decide` gets the current methods and returns the change, or null
 * for none. The seller gets an email and payouts wait, because a thief with a stolen session would do the same (ADR
 * 43). The first method needs neither, because no payouts went elsewhere before.
 */
export async function changePayoutMethod(
  tx: Tx,
  sellerId: string,
  decide: (current: Methods) => Promise<Change | null> | Change | null,
): Promise<Methods> {
  const current = await queries.lockPayoutMethods(tx, sellerId)
  if (!current) throw refuse('signed_out')
  const change = await decide(current)
  if (!change) return current
  const isFirst = !current.accountId && !current.encryptedDetails && !current.waitUntil
  await updateRows(
    tx,
    users,
    { id: sellerId },
    { ...change, ...(!isFirst && { payoutsWaitUntil: payoutsWaitFrom(tx.now) }), updatedAt: tx.now },
  )
  if ('stripeConnectAccountId' in change) await followAccount(tx, sellerId, change.stripeConnectAccountId)
  if (!isFirst && current.email) {
    const { email: address } = current
    await enqueueAccountEmail(tx, payoutAccountChangedEmail, { userId: sellerId, address })
  }
  return current
}
