import { randomUUID } from 'node:crypto'
import type { SignIn, SignUp } from '@sought/contract/accounts'
import type * as z from 'zod/mini'
import { type Tx, violates } from '../../platform/database.ts'
import { refuse } from '../../platform/errors.ts'
import { endSessionsOf, type User } from '../../platform/session.ts'
import type { GoogleIdentity } from '../../providers/google/google.ts'
import { mailAccount } from '../notifications/mails.ts'
import { hashPassword, passwordMatches } from './passwords.ts'
import {
  deleteAdmin,
  findByEmail,
  findByGoogleSubject,
  insertAdmin,
  insertUser,
  isAdmin,
  updateUser,
} from './queries.ts'
import { dropTokens } from './tokens.ts'

export { isAdmin }

export async function openAccount(tx: Tx, form: z.output<typeof SignUp>): Promise<User> {
  const password = await hashPassword(form.password)
  const { email, firstName, lastName } = form
  const user = await insertUser(tx, { id: randomUUID(), email, firstName, lastName, password }).catch(
    (error) => {
      throw violates(error, 'users_email_unique') ? refuse('email_taken') : error
    },
  )
  await mailAccount(tx, { userId: user.id, address: email, kind: 'verify_email' })
  return user
}

/** The account that the credentials open. One answer, in one time, for a wrong password and an unknown e-mail. */
export async function checkCredentials(tx: Tx, form: z.output<typeof SignIn>): Promise<User> {
  const account = await findByEmail(tx, form.email)
  const right = await passwordMatches(account?.password, form.password)
  if (!account || !right) throw refuse('wrong_credentials')
  return account.user
}

/**
 * The account of somebody whom Google vouches for (ADR 15). A first visit opens an account, or joins
 * the one with the same address, if Google has verified that address. If we never verified it
 * ourselves, somebody else may have opened that account in advance to wait inside it: its password
 * and sessions are ended, and only the proven owner is left.
 */
export async function accountOfGoogle(tx: Tx, identity: GoogleIdentity): Promise<User | 'unverified'> {
  const known = await findByGoogleSubject(tx, identity.subject)
  if (known) return known
  if (!identity.emailVerified) return 'unverified'
  const existing = await findByEmail(tx, identity.email)
  if (!existing) {
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
  const { id, emailVerified } = existing.user
  if (emailVerified) return updateUser(tx, id, { providerId: identity.subject })
  await endSessionsOf(tx, id)
  await dropTokens(tx, id)
  return updateUser(tx, id, {
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
