import type { PasswordChange } from '@sought/contract/accounts'
import type * as z from 'zod/mini'
import { refuse } from '../../../core/errors.ts'
import { type Db, type Tx, violates } from '../../../database/database.ts'
import { announce } from '../../../http/events.ts'
import type { Origin } from '../../../http/request-origin.ts'
import { type Actor, endSessionsOf, type User } from '../../../http/session.ts'
import { enqueueAccountEmail } from '../../notifications/enqueue-emails.ts'
import { isSuppressed } from '../../notifications/suppression.ts'
import { recordAudit } from '../../users/audit-log.ts'
import { isReservedEmail, recordEmailChange } from '../../users/email-changes.ts'
import { forgetDevices, isKnownDevice } from '../../users/known-devices.ts'
import { findToken, revokeTokens, type TokenPurpose, useToken } from '../../users/link-tokens.ts'
import { removeSecondFactors } from '../second-factors/actions.ts'
import { addressChangedEmail, passwordChangedEmail, passwordResetEmail, verificationEmail } from './emails.ts'
import { maskEmail } from './mask-email.ts'
import { hashPassword, passwordMatches } from './passwords.ts'
import { lockOwnAccount } from './profile.ts'
import * as queries from './queries.ts'
import { removeAccess } from './remove-access.ts'

/** Sends the verification email again if an address is not verified yet, or if it rejected our emails. */
export async function resendVerification(tx: Tx, { id }: Pick<User, 'id'>) {
  const { user } = await lockOwnAccount(tx, id)
  const address = user.pendingEmail ?? user.email
  const isNeeded = address && (user.pendingEmail || !user.emailVerified || (await isSuppressed(tx, address)))
  if (isNeeded) await enqueueAccountEmail(tx, verificationEmail, { userId: id, address })
  return { ok: true as const }
}

/** Locks the owner before using up the link. Code that revokes links locks in the same order. */
async function useLink(tx: Tx, token: string, purpose: TokenPurpose) {
  const link = await findToken(tx, token, purpose, tx.now)
  const account = link && (await queries.lockUser(tx, link.userId))
  if (!account) throw refuse('link_expired')
  await useToken(tx, link.userId, token, purpose)
  return { account, email: link.email }
}

/** Proof that a request comes from the user: their session, or a browser where they have signed in before. */
export interface Browser {
  userId: string | undefined
  deviceHash: string | undefined
}

async function isOwnBrowser(db: Db, userId: string, browser: Browser): Promise<boolean> {
  if (browser.userId === userId) return true
  return browser.deviceHash !== undefined && isKnownDevice(db, userId, browser.deviceHash)
}

/** Reads the purpose of a verification link. */
export async function readVerification(db: Db, token: string, browser: Browser, now: Date) {
  const link = await findToken(db, token, 'verify_email', now)
  const account = link && (await queries.findById(db, link.userId))
  if (!account || ![account.user.email, account.user.pendingEmail].includes(link.email))
    throw refuse('link_expired')
  return {
    email: maskEmail(link.email),
    isChange: link.email === account.user.pendingEmail,
    asksPassword: account.user.hasPassword && !(await isOwnBrowser(db, link.userId, browser)),
  }
}

/**
 * Verifies the current address, or replaces it with the pending one. In a browser that the user has not used,
 * the password proves that the account belongs to the owner of the address. Without the password, a stranger
 * may have entered the address (ADR 43): a new account loses its password, and a replaced address is marked.
 */
export async function verifyEmail(
  tx: Tx,
  { token, password }: { token: string; password?: string | undefined },
  browser: Browser,
  origin: Origin,
) {
  const { account, email } = await useLink(tx, token, 'verify_email')
  const { user } = account
  const userId = user.id
  const isChange = email === user.pendingEmail
  const isOwn = (await isOwnBrowser(tx, userId, browser)) || (await knowsPassword(account, password))
  if (isChange) await replaceEmail(tx, user, email, !isOwn)
  else if (email !== user.email) throw refuse('link_expired')
  else if (isOwn) await queries.updateUser(tx, userId, { emailVerifiedAt: tx.now })
  else if (!user.emailVerified) await removeAccess(tx, userId)
  await recordAudit(tx, { action: isChange ? 'email_changed' : 'email_verified', actorId: userId, origin })
  await announce(tx, [userId], { about: 'everything' })
  return { ok: true as const }
}

async function knowsPassword(account: { password: string | null }, password: string | undefined) {
  if (password === undefined) return false
  if (!(await passwordMatches(account.password, password))) throw refuse('wrong_password')
  return true
}

/** Links sent to the old address become invalid. Its owner gets an email with a link that undoes the change. */
async function replaceEmail(
  tx: Tx,
  user: User,
  email: string,
  emailConfirmedElsewhere: boolean,
): Promise<void> {
  if (await isReservedEmail(tx, email, tx.now, user.id)) throw refuse('email_taken')
  if (user.email) await recordEmailChange(tx, user.id, user.email)
  try {
    const verified = { emailVerifiedAt: tx.now, emailConfirmedElsewhere }
    await queries.updateUser(tx, user.id, { email, pendingEmail: null, ...verified })
  } catch (error) {
    throw violates(error, 'users_email_unique') ? refuse('email_taken') : error
  }
  await revokeTokens(tx, user.id)
  if (user.email) await enqueueAccountEmail(tx, addressChangedEmail, { userId: user.id, address: user.email })
}

/** Sends a reset link if the account exists. Google users can set a first password this way. */
export async function forgotPassword(tx: Tx, email: string): Promise<void> {
  const account = await queries.findByEmail(tx, email)
  if (!account?.user.email) return
  const { id: userId, email: address } = account.user
  await enqueueAccountEmail(tx, passwordResetEmail, { userId, address })
}

/**
 * Sets a new password with an emailed link, which also verifies the address. All sessions end and a pending
 * change of address is cancelled, so that an intruder loses access. If the address was not verified before, or
 * may have been verified by somebody else, an intruder may have created the account, so its payout details and
 * second factors are removed too.
 */
export async function resetPassword(tx: Tx, token: string, newPassword: string, origin: Origin) {
  const { account, email } = await useLink(tx, token, 'reset_password')
  if (account.user.email !== email) throw refuse('link_expired')
  const userId = account.user.id
  const isProven = account.user.emailVerified && !account.emailConfirmedElsewhere
  const verified = { emailVerifiedAt: tx.now, emailConfirmedElsewhere: false }
  await setPassword(tx, account.user, newPassword, {
    ...verified,
    ...(!isProven && queries.NO_PAYOUT_DETAILS),
  })
  if (!isProven) await removeSecondFactors(tx, userId)
  await endSessionsOf(tx, userId)
  await forgetDevices(tx, userId)
  await recordAudit(tx, { action: 'password_reset', actorId: userId, origin })
  return { ok: true as const }
}

/** `renewSession` gives the current session a new id. All other sessions end. */
export async function changePassword(
  tx: Tx,
  { currentPassword, newPassword }: z.output<typeof PasswordChange>,
  { id, origin }: Pick<Actor, 'id' | 'origin'>,
  renewSession: () => Promise<string>,
  deviceHash: string | undefined,
) {
  const { user, password } = await lockOwnAccount(tx, id)
  if (password === null) throw refuse('no_password')
  if (!(await passwordMatches(password, currentPassword))) throw refuse('wrong_password')
  await setPassword(tx, user, newPassword)
  await endSessionsOf(tx, id, await renewSession())
  await forgetDevices(tx, id, deviceHash)
  await recordAudit(tx, { action: 'password_changed', actorId: id, origin })
  return { ok: true as const }
}

async function setPassword(
  tx: Tx,
  user: User,
  newPassword: string,
  changes: Parameters<typeof queries.updateUser>[2] = {},
): Promise<void> {
  const password = await hashPassword(newPassword)
  await queries.updateUser(tx, user.id, { ...changes, password, pendingEmail: null })
  await revokeTokens(tx, user.id)
  if (user.email)
    await enqueueAccountEmail(tx, passwordChangedEmail, { userId: user.id, address: user.email })
}
