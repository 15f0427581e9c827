import type { Tx } from '../../../database/database.ts'
import { endSessionsOf, type User } from '../../../http/session.ts'
import { forgetDevices } from '../../users/known-devices.ts'
import { revokeTokens } from '../../users/link-tokens.ts'
import { removeSecondFactors } from '../second-factors/actions.ts'
import * as queries from './queries.ts'

/**
 * Removes everything that would let somebody else back into an account or receive its payouts. The owner of
 * the now verified address can sign in with Google or set a new password.
 */
export async function removeAccess(
  tx: Tx,
  userId: string,
  changes: Parameters<typeof queries.updateUser>[2] = {},
): Promise<User> {
  await endSessionsOf(tx, userId)
  await revokeTokens(tx, userId)
  await forgetDevices(tx, userId)
  await removeSecondFactors(tx, userId)
  return queries.updateUser(tx, userId, {
    ...queries.NO_PAYOUT_DETAILS,
    emailVerifiedAt: tx.now,
    emailConfirmedElsewhere: false,
    pendingEmail: null,
    password: null,
    ...changes,
  })
}
