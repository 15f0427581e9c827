import type { PasswordChange } from '@sought/contract/accounts'
import type * as z from 'zod/mini'
import { type Tx, violates } from '../../platform/database.ts'
import { refuse } from '../../platform/errors.ts'
import { announce } from '../../platform/events.ts'
import { revokeTokens, useToken } from '../../platform/link-tokens.ts'
import { endSessionsOf, type User } from '../../platform/session.ts'
import { enqueueAccountEmail } from '../notifications/enqueue-emails.ts'
import { hashPassword, passwordMatches } from './passwords.ts'
import { lockOwnAccount } from './profile.ts'
import { findByEmail, lockUser, NO_WAY_TO_BE_PAID, updateUser } from './queries.ts'

/** Mails a link once more, to the address that waits to be proved. Who has none needs no mail. */
export async function resendVerification(tx: Tx, { id }: Pick<User, 'id'>) {
  const { user } = await lockOwnAccount(tx, id)
  const address = user.pendingEmail ?? (user.emailVerified ? null : user.email)
  if (address) await enqueueAccountEmail(tx, { userId: id, address, kind: 'verify_email' })
  return { ok: true as const }
}

/**
 * Proves an address: the one in use, or the one that was waiting, which takes its place. Links that went to the
 * old address are worthless from then on, and its owner is told.
 */
export async function verifyEmail(tx: Tx, token: string) {
  const { userId, email } = await useToken(tx, token, 'verify_email')
  const account = await lockUser(tx, userId)
  if (!account) throw refuse('link_expired')
  const { user } = account
  if (email === user.pendingEmail) await takeEmail(tx, user, email)
  else if (email === user.email) await updateUser(tx, userId, { emailVerifiedAt: tx.now })
  else throw refuse('link_expired')
  await announce(tx, [userId], { about: 'everything' })
  return { ok: true as const }
}

async function takeEmail(tx: Tx, user: User, email: string): Promise<void> {
  try {
    await updateUser(tx, user.id, { email, emailVerifiedAt: tx.now, pendingEmail: null })
  } catch (error) {
    throw violates(error, 'users_email_unique') ? refuse('email_taken') : error
  }
  await revokeTokens(tx, user.id)
  if (user.email)
    await enqueueAccountEmail(tx, { userId: user.id, address: user.email, kind: 'email_changed' })
}

/** Has a link mailed, if there is such an account. Who has no password yet gets one this way. */
export async function forgotPassword(tx: Tx, email: string): Promise<void> {
  const account = await findByEmail(tx, email)
  if (!account?.user.email) return
  const { id: userId, email: address } = account.user
  await enqueueAccountEmail(tx, { userId, address, kind: 'reset_password' })
}

/**
 * Sets a new password by a mailed link. Using it proves the address, and whoever was inside is put out: every
 * session ends, and a change of address that they may have begun is forgotten. If the address was not proved
 * before, they may even have opened the account, and where they wanted to be paid is forgotten too.
 */
export async function resetPassword(tx: Tx, token: string, newPassword: string) {
  const { userId, email } = await useToken(tx, token, 'reset_password')
  const account = await lockUser(tx, userId)
  if (!account || account.user.email !== email) throw refuse('link_expired')
  const proved = { emailVerifiedAt: tx.now, ...(!account.user.emailVerified && NO_WAY_TO_BE_PAID) }
  await setPassword(tx, account.user, newPassword, proved)
  await endSessionsOf(tx, userId)
  return { ok: true as const }
}

/** `renewSession` gives the session that asks a new id, which is the only one left. */
export async function changePassword(
  tx: Tx,
  { currentPassword, newPassword }: z.output<typeof PasswordChange>,
  { id }: Pick<User, 'id'>,
  renewSession: () => Promise<string>,
) {
  const { user, password } = await lockOwnAccount(tx, id)
  if (password === null) throw refuse('no_password')
  if (!(await passwordMatches(password, currentPassword))) throw refuse('wrong_password')
  await setPassword(tx, user, newPassword)
  await endSessionsOf(tx, id, await renewSession())
  return { ok: true as const }
}

async function setPassword(
  tx: Tx,
  user: User,
  newPassword: string,
  proved: Parameters<typeof updateUser>[2] = {},
): Promise<void> {
  const password = await hashPassword(newPassword)
  await updateUser(tx, user.id, { ...proved, password, pendingEmail: null })
  await revokeTokens(tx, user.id)
  if (user.email)
    await enqueueAccountEmail(tx, { userId: user.id, address: user.email, kind: 'password_changed' })
}
