import { randomUUID } from 'node:crypto'
import type { SignIn, SignUp } from '@sought/contract/accounts'
import type { StaffRole } from '@sought/contract/call'
import type * as z from 'zod/mini'
import type { Config } from '../../../core/config.ts'
import { refuse } from '../../../core/errors.ts'
import type { Database, Db, Tx } from '../../../database/database.ts'
import { findSettings } from '../../../database/market-settings.ts'
import { COMMAND_LINE, type Origin } from '../../../http/request-origin.ts'
import type { User } from '../../../http/session.ts'
import type { GoogleIdentity } from '../../../providers/google/google.ts'
import type { AccountEmail } from '../../notifications/define-email.ts'
import { enqueueAccountEmail } from '../../notifications/enqueue-emails.ts'
import { type AuditEntry, recordAudit } from '../../users/audit-log.ts'
import { isReservedEmail } from '../../users/email-changes.ts'
import { recordConsentOfNewUser } from '../policies/actions.ts'
import { hasSecondFactor } from '../second-factors/actions.ts'
import { verificationEmail } from './emails.ts'
import { hashPassword, passwordMatches } from './passwords.ts'
import * as queries from './queries.ts'
import { removeAccess } from './remove-access.ts'
import { replaceReservedName, requireOwnName } from './reserved-names.ts'

export { findAdmins, findStaffRole, isAdmin } from './queries.ts'

type StartSession<Started> = (tx: Tx, user: User) => Promise<Started>

/** Hashes the password before the transaction, so that no database connection waits for it. */
export async function createAccount(
  { transact }: Database,
  form: z.output<typeof SignUp>,
  startSession: StartSession<void>,
): Promise<User> {
  const password = await hashPassword(form.password)
  const { email, firstName, lastName } = form
  return transact(async (tx) => {
    await requireOwnName(tx, form)
    if (await isReservedEmail(tx, email, tx.now)) throw refuse('email_taken')
    const user = await queries.insertUser(tx, { id: randomUUID(), email, firstName, lastName, password })
    if (!user) throw refuse('email_taken')
    await recordConsentOfNewUser(tx, user.id)
    await enqueueAccountEmail(tx, verificationEmail, { userId: user.id, address: email })
    await startSession(tx, user)
    return user
  })
}

/** A wrong password and an unknown email get the same reply after the same time. */
export async function signInWithPassword<Started>(
  { read, transact }: Database,
  form: z.output<typeof SignIn>,
  origin: Origin,
  startSession: StartSession<Started>,
): Promise<Started> {
  const account = await queries.findByEmail(read, form.email)
  const isCorrect = await passwordMatches(account?.password, form.password)
  if (!account || !isCorrect) {
    await transact((tx) => recordFailedSignIn(tx, account?.user.id ?? null, origin))
    throw refuse('wrong_credentials')
  }
  return transact(async (tx) => {
    const current = await queries.lockUser(tx, account.user.id)
    // Changing the password ends all sessions, so the old password must not start a new one.
    if (current?.password !== account.password) throw refuse('wrong_credentials')
    return startSession(tx, current.user)
  })
}

/** Recorded for unknown addresses too, so that the time of the reply does not reveal whether an account exists. */
export const recordFailedSignIn = (tx: Tx, subjectId: string | null, origin: Origin) =>
  recordAudit(tx, { action: 'sign_in_failed', actorId: null, subjectId, origin })

/**
 * The account of a Google user (ADR 15). The first sign-in creates an account, or links the existing account with the
 * same address if Google has verified that address. Only an open market gets new accounts.
 */
export async function findOrCreateGoogleAccount(
  tx: Tx,
  identity: GoogleIdentity,
  origin: Origin,
): Promise<User | 'unverified' | 'reserved' | 'read_only' | 'maintenance'> {
  const linked = await queries.findByGoogleSubject(tx, identity.subject)
  if (linked) return linked
  if (!identity.emailVerified) return 'unverified'
  const existing = await queries.findByEmail(tx, identity.email)
  if (!existing) {
    const { mode } = await findSettings(tx)
    if (mode !== 'open') return mode
    if (await isReservedEmail(tx, identity.email, tx.now)) return 'reserved'
  }
  const user = existing
    ? await linkGoogle(tx, existing.user, identity, origin)
    : await createGoogleAccount(tx, identity)
  // A concurrent request was faster, so try again.
  return user ?? findOrCreateGoogleAccount(tx, identity, origin)
}

/** Undefined if a concurrent sign-in or sign-up took the address. */
async function createGoogleAccount(tx: Tx, identity: GoogleIdentity): Promise<User | undefined> {
  const { firstName, lastName } = await replaceReservedName(tx, identity)
  const user = await queries.insertUser(tx, {
    id: randomUUID(),
    email: identity.email.toLowerCase(),
    emailVerifiedAt: tx.now,
    firstName,
    lastName,
    provider: 'google',
    providerId: identity.subject,
  })
  if (user) await recordConsentOfNewUser(tx, user.id)
  return user
}

/**
 * If the account's address was never verified, or may have been verified by somebody else, a stranger may have
 * created the account to use it later or to receive its payouts. So its sessions, password, second factors and
 * payout details are removed, and only the verified owner can sign in. The user is locked first, so that no
 * concurrent sign-in survives.
 */
async function linkGoogle(
  tx: Tx,
  { id, email }: User,
  identity: GoogleIdentity,
  origin: Origin,
): Promise<User | undefined> {
  const account = await queries.lockUser(tx, id)
  if (account?.user.email !== email) return undefined
  await recordAudit(tx, { action: 'google_linked', actorId: id, origin })
  const linked = { providerId: identity.subject }
  const isProven = account.user.emailVerified && !account.emailConfirmedElsewhere
  return isProven ? queries.updateUser(tx, id, linked) : removeAccess(tx, id, linked)
}

/** Whether this market requires a second factor of admins and the user has none. */
export async function needsSecondFactor(
  db: Db,
  { adminSecondFactor }: Pick<Config, 'adminSecondFactor'>,
  userId: string,
): Promise<boolean> {
  return adminSecondFactor && !(await hasSecondFactor(db, userId))
}

export async function grantRole(tx: Tx, email: string, role: StaffRole): Promise<boolean> {
  return changeRole(tx, email, (id) => queries.saveStaffRole(tx, id, role), {
    action: 'admin_granted',
    details: { role },
  })
}

export async function revokeRole(tx: Tx, email: string): Promise<boolean> {
  return changeRole(tx, email, (id) => queries.deleteAdmin(tx, id), { action: 'admin_revoked' })
}

/** Whether somebody has proved that the address is theirs. Null without an account. */
export async function findVerified(tx: Tx, email: string): Promise<boolean | null> {
  const account = await queries.findByEmail(tx, email)
  return account ? account.user.emailVerified : null
}

/** Changes a role from the command line. Returns whether the account exists. */
async function changeRole(
  tx: Tx,
  email: string,
  change: (id: string) => Promise<void>,
  entry: Pick<AuditEntry, 'action' | 'details'>,
): Promise<boolean> {
  const account = await queries.findByEmail(tx, email)
  if (!account) return false
  const { id: subjectId } = account.user
  await change(subjectId)
  await recordAudit(tx, { ...entry, actorId: null, subjectId, origin: COMMAND_LINE })
  return true
}

/** Sends an email to every admin once the transaction commits. */
export async function emailAdmins(tx: Tx, email: AccountEmail): Promise<void> {
  for (const { userId, address } of await queries.findAdmins(tx))
    if (address) await enqueueAccountEmail(tx, email, { userId, address })
}
