import { refuse } from '../../../core/errors.ts'
import type { Keys } from '../../../core/keys.ts'
import { type Db, type Tx, violates } from '../../../database/database.ts'
import { announce } from '../../../http/events.ts'
import type { Origin } from '../../../http/request-origin.ts'
import { endSessionsOf } from '../../../http/session.ts'
import { enqueueAccountEmail } from '../../notifications/enqueue-emails.ts'
import { recordAudit } from '../../users/audit-log.ts'
import {
  type EmailChange,
  findEmailChange,
  hasOtherPayoutMethods,
  isUndoOver,
  markUndone,
  readUndoToken,
} from '../../users/email-changes.ts'
import { forgetDevices } from '../../users/known-devices.ts'
import { revokeTokens } from '../../users/link-tokens.ts'
import { removeSecondFactorsSince } from '../second-factors/actions.ts'
import { passwordResetEmail } from './emails.ts'
import { maskEmail } from './mask-email.ts'
import * as queries from './queries.ts'

/** The address that an undo link restores, and whether it still can. */
export async function readUndoLink(db: Db, token: string, sessionKeys: Keys, now: Date) {
  const change = await findChange(db, token, sessionKeys)
  return { email: maskEmail(change.oldEmail), state: stateOf(change, now) }
}

async function findChange(db: Db, token: string, sessionKeys: Keys): Promise<EmailChange> {
  const id = readUndoToken(token, sessionKeys)
  const change = id === null ? undefined : await findEmailChange(db, id)
  if (!change) throw refuse('link_expired')
  return change
}

function stateOf(change: EmailChange, now: Date): 'ready' | 'used' | 'expired' {
  if (change.undoneAt) return 'used'
  return isUndoOver(change, now) ? 'expired' : 'ready'
}

/**
 * Restores the account's earlier address and Google identity. The person who changed the address may know the
 * password. So the password is removed, and the restored address gets a link to set a new one. Payout methods
 * changed since then and second factors added since then are removed.
 */
export async function undoEmailChange(tx: Tx, token: string, sessionKeys: Keys, origin: Origin) {
  const { userId } = await findChange(tx, token, sessionKeys)
  // Reads the change again under the lock, so that the second of two concurrent uses is refused.
  if (!(await queries.lockUser(tx, userId))) throw refuse('link_expired')
  const change = await findChange(tx, token, sessionKeys)
  if (stateOf(change, tx.now) !== 'ready') throw refuse('link_expired')
  const { oldEmail, providerId } = change
  const hasNewMethods = await hasOtherPayoutMethods(tx, change)
  try {
    await queries.updateUser(tx, userId, {
      ...(hasNewMethods && queries.NO_PAYOUT_DETAILS),
      email: oldEmail,
      emailVerifiedAt: tx.now,
      emailConfirmedElsewhere: false,
      pendingEmail: null,
      password: null,
      providerId,
    })
  } catch (error) {
    throw violates(error, 'users_email_unique') ? refuse('email_taken') : error
  }
  await markUndone(tx, change)
  await endSessionsOf(tx, userId)
  await revokeTokens(tx, userId)
  await forgetDevices(tx, userId)
  await removeSecondFactorsSince(tx, userId, change.createdAt)
  await enqueueAccountEmail(tx, passwordResetEmail, { userId, address: oldEmail })
  await recordAudit(tx, { action: 'email_change_undone', actorId: null, subjectId: userId, origin })
  await announce(tx, [userId], { about: 'everything' })
  return { ok: true as const }
}
