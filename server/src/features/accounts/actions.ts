import { randomUUID } from 'node:crypto'
import type { SignIn, SignUp } from '@sought/contract/accounts'
import type * as z from 'zod/mini'
import type { Database, Tx } from '../../platform/database.ts'
import { refuse } from '../../platform/errors.ts'
import { revokeTokens } from '../../platform/link-tokens.ts'
import { endSessionsOf, type User } from '../../platform/session.ts'
import type { GoogleIdentity } from '../../providers/google/google.ts'
import { enqueueAccountEmail } from '../notifications/enqueue-emails.ts'
import { hashPassword, passwordMatches } from './passwords.ts'
import {
  deleteAdmin,
  findByEmail,
  findByGoogleSubject,
  insertAdmin,
  insertUser,
  isAdmin,
  lockUser,
  NO_WAY_TO_BE_PAID,
  updateUser,
} from './queries.ts'

export { isAdmin }

type BeginSession = (tx: Tx, user: User) => Promise<void>

/** The password is hashed before the transaction begins: no connection waits for that. */
export async function openAccount(
  { transact }: Database,
  form: z.output<typeof SignUp>,
  begin: BeginSession,
): Promise<User> {
  const password = await hashPassword(form.password)
  const { email, firstName, lastName } = form
  return transact(async (tx) => {
    const user = await insertUser(tx, { id: randomUUID(), email, firstName, lastName, password })
    if (!user) throw refuse('email_taken')
    await enqueueAccountEmail(tx, { userId: user.id, address: email, kind: 'verify_email' })
    await begin(tx, user)
    return user
  })
}

/** One answer, in one time, for a wrong password and an unknown e-mail. */
export async function enterAccount(
  { read, transact }: Database,
  form: z.output<typeof SignIn>,
  begin: BeginSession,
): Promise<User> {
  const account = await findByEmail(read, form.email)
  const right = await passwordMatches(account?.password, form.password)
  if (!account || !right) throw refuse('wrong_credentials')
  return transact(async (tx) => {
    const now = await lockUser(tx, account.user.id)
    // A password that was changed meanwhile has ended all sessions, and must not begin one after that.
    if (now?.password !== account.password) throw refuse('wrong_credentials')
    await begin(tx, now.user)
    return now.user
  })
}

/**
 * The account of somebody whom Google vouches for (ADR 15). A first visit opens an account, or joins
 * the one with the same address, if Google has verified that address.
 */
export async function accountOfGoogle(tx: Tx, identity: GoogleIdentity): Promise<User | 'unverified'> {
  const known = await findByGoogleSubject(tx, identity.subject)
  if (known) return known
  if (!identity.emailVerified) return 'unverified'
  const existing = await findByEmail(tx, identity.email)
  const user = existing ? await join(tx, existing.user, identity) : await openByGoogle(tx, identity)
  // Somebody was a moment faster: there is another state of things to look at.
  return user ?? accountOfGoogle(tx, identity)
}

/** Undefined if another return from Google, or a sign-up, has taken the address meanwhile. */
function openByGoogle(tx: Tx, identity: GoogleIdentity): Promise<User | undefined> {
  return insertUser(tx, {
    id: randomUUID(),
    email: identity.email.toLowerCase(),
    emailVerifiedAt: tx.now,
    firstName: identity.firstName,
    lastName: identity.lastName,
    provider: 'google',
    providerId: identity.subject,
  })
}

/**
 * If we never verified the address ourselves, somebody else may have opened that account in advance to wait inside
 * it, or to be paid in its owner's place: what lets them in and where they wanted the money is forgotten, and only
 * the proven owner is left. The person is locked first, so that no sign-in which is under way outlasts it.
 */
async function join(tx: Tx, { id, email }: User, identity: GoogleIdentity): Promise<User | undefined> {
  const account = await lockUser(tx, id)
  if (account?.user.email !== email) return undefined
  if (account.user.emailVerified) return updateUser(tx, id, { providerId: identity.subject })
  await endSessionsOf(tx, id)
  await revokeTokens(tx, id)
  return updateUser(tx, id, {
    ...NO_WAY_TO_BE_PAID,
    providerId: identity.subject,
    emailVerifiedAt: tx.now,
    pendingEmail: null,
    password: null,
  })
}

export async function grantAdmin(tx: Tx, email: string): Promise<boolean> {
  const account = await findByEmail(tx, email)
  if (account) await insertAdmin(tx, account.user.id)
  return account !== undefined
}

export async function revokeAdmin(tx: Tx, email: string): Promise<boolean> {
  const account = await findByEmail(tx, email)
  if (account) await deleteAdmin(tx, account.user.id)
  return account !== undefined
}
