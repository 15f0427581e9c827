import type { PasswordChange } from '@sought/contract/accounts'
import type * as z from 'zod/mini'
import { type Origin, recordAudit } from '../../platform/audit.ts'
import { type Tx, violates } from '../../platform/database.ts'
import { refuse } from '../../platform/errors.ts'
import { announce } from '../../platform/events.ts'
import { revokeTokens, useToken } from '../../platform/link-tokens.ts'
import { type Actor, endSessionsOf, type User } from '../../platform/session.ts'
import { enqueueAccountEmail } from '../notifications/enqueue-emails.ts'
import { removeSecondFactors } from '../second-factors/actions.ts'
import { hashPassword, passwordMatches } from './passwords.ts'
import { lockOwnAccount } from './profile.ts'
import { findByEmail, lockUser, NO_PAYOUT_DETAILS, updateUser } from './queries.ts'

/** Sends the verification email again if an address is not verified yet. */
export async function resendVerification(tx: Tx, { id }: Pick<User, 'id'>) {
  const { user } = await lockOwnAccount(tx, id)
  const address = user.pendingEmail ?? (user.emailVerified ? null : user.email)
  if (address) await enqueueAccountEmail(tx, { userId: id, address, kind: 'verify_email' })
  return { ok: true as const }
}

/**
 * Verifies the current address, or replaces it with the pending one. In the latter case, links sent to the old
 * address become invalid, and its owner gets an email.
 */
export async function verifyEmail(tx: Tx, token: string, origin: Origin) {
  const { userId, email } = await useToken(tx, token, 'verify_email')
  const account = await lockUser(tx, userId)
  if (!account) throw refuse('link_expired')
  const { user } = account
  const isChange = email === user.pendingEmail
  if (isChange) await replaceEmail(tx, user, email)
  else if (email === user.email) await updateUser(tx, userId, { emailVerifiedAt: tx.now })
  else throw refuse('link_expired')
  await recordAudit(tx, { action: isChange ? 'email_changed' : 'email_verified', actorId: userId, origin })
  await announce(tx, [userId], { about: 'everything' })
  return { ok: true as const }
}

async function replaceEmail(tx: Tx, user: User, email: string): Promise<void> {
  try {
    await updateUser(tx, user.id, { email, emailVerifiedAt: tx.now, pendingEmail: null })
  } catch (error) {
    throw violates(error, 'users_email_unique') ? refuse('email_taken') : error
  }
  await revokeTokens(tx, user.id)
  if (user.email)
    await enqueueAccountEmail(tx, { userId: user.id, address: user.email, kind: 'email_changed' })
}

/** Sends a reset link if the account exists. Google users can set a first password this way. */
export async function forgotPassword(tx: Tx, email: string): Promise<void> {
  const account = await findByEmail(tx, email)
  if (!account?.user.email) return
  const { id: userId, email: address } = account.user
  await enqueueAccountEmail(tx, { userId, address, kind: 'reset_password' })
}

/**
 * Sets a new password with an emailed link, which also verifies the address. All sessions end and a pending change of
 * address is cancelled, so that an intruder loses access. If the address was not verified before, an intruder may
 * have created the account, so its payout details and second factors are removed too.
 */
export async function resetPassword(tx: Tx, token: string, newPassword: string, origin: Origin) {
  const { userId, email } = await useToken(tx, token, 'reset_password')
  const account = await lockUser(tx, userId)
  if (!account || account.user.email !== email) throw refuse('link_expired')
  const verified = { emailVerifiedAt: tx.now, ...(!account.user.emailVerified && NO_PAYOUT_DETAILS) }
  await setPassword(tx, account.user, newPassword, verified)
  if (!account.user.emailVerified) await removeSecondFactors(tx, userId)
  await endSessionsOf(tx, userId)
  await recordAudit(tx, { action: 'password_reset', actorId: userId, origin })
  return { ok: true as const }
}

/** `renewSession` gives the current session a new id. All other sessions end. */
export async function changePassword(
  tx: Tx,
  { currentPassword, newPassword }: z.output<typeof PasswordChange>,
  { id, origin }: Pick<Actor, 'id' | 'origin'>,
  renewSession: () => Promise<string>,
) {
  const { user, password } = await lockOwnAccount(tx, id)
  if (password === null) throw refuse('no_password')
  if (!(await passwordMatches(password, currentPassword))) throw refuse('wrong_password')
  await setPassword(tx, user, newPassword)
  await endSessionsOf(tx, id, await renewSession())
  await recordAudit(tx, { action: 'password_changed', actorId: id, origin })
  return { ok: true as const }
}

async function setPassword(
  tx: Tx,
  user: User,
  newPassword: string,
  changes: Parameters<typeof updateUser>[2] = {},
): Promise<void> {
  const password = await hashPassword(newPassword)
  await updateUser(tx, user.id, { ...changes, password, pendingEmail: null })
  await revokeTokens(tx, user.id)
  if (user.email)
    await enqueueAccountEmail(tx, { userId: user.id, address: user.email, kind: 'password_changed' })
}
