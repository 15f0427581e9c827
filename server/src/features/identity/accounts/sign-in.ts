import type { PendingSignIn } from '@sought/contract/accounts'
import type { confirmIdentity as confirmIdentityCall, PasskeyUse } from '@sought/contract/second-factors'
import type { FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import type { Encryption } from '../../../core/encryption.ts'
import { Refused, refuse } from '../../../core/errors.ts'
import type { Database, Tx } from '../../../database/database.ts'
import { addressKey } from '../../../http/limits.ts'
import type { Origin } from '../../../http/request-origin.ts'
import type { SignIn, User } from '../../../http/session.ts'
import type { GoogleIdentity } from '../../../providers/google/google.ts'
import type { Services } from '../../../services.ts'
import { enqueueAccountEmail } from '../../notifications/enqueue-emails.ts'
import { recordAudit } from '../../users/audit-log.ts'
import { isKnownDeviceOfEmail, rememberDevice } from '../../users/known-devices.ts'
import {
  type GivenFactor,
  hasSecondFactor,
  passkeyOptions,
  secondFactorsOf,
  usePasskeyToSignIn,
  useSecondFactor,
} from '../second-factors/actions.ts'
import { type Site, siteOf } from '../second-factors/passkeys.ts'
import { recordFailedSignIn } from './actions.ts'
import { newDeviceEmail } from './emails.ts'
import { passwordMatches } from './passwords.ts'
import { lockOwnAccount } from './profile.ts'
import * as queries from './queries.ts'

export { passkeyOptions, siteOf }

interface Checks {
  encryption: Encryption
  site: Site
}

type Start = (tx: Tx, user: User) => Promise<void>

/**
 * Starts a session after the password or Google has been checked. If the user has a second factor, the sign-in
 * waits for it instead (ADR 42). The user is locked, so that a factor that is being added at the same time is
 * required too.
 */
export async function startSignIn(
  tx: Tx,
  user: User,
  { begin, beginPending }: { begin: Start; beginPending: Start },
): Promise<User | PendingSignIn> {
  await queries.lockUser(tx, user.id)
  const secondFactors = await secondFactorsOf(tx, user.id)
  if (secondFactors.length > 0) {
    await beginPending(tx, user)
    return { secondFactors }
  }
  await begin(tx, user)
  return user
}

/**
 * `findPending` reads the waiting sign-in again, because a password change may have ended it. A wrong factor is
 * recorded in its own transaction, since the refusal rolls back the first one. It has to be recorded, because its
 * sender knows the password.
 */
export async function completeSignIn(
  { transact }: Database,
  checks: Checks,
  { id, origin }: { id: string; origin: Origin },
  given: GivenFactor,
  { begin, findPending }: { begin: Start; findPending: (tx: Tx) => Promise<string | null> },
): Promise<User> {
  try {
    return await transact(async (tx) => {
      const account = await queries.lockUser(tx, id)
      if (!account || (await findPending(tx)) !== id) throw refuse('sign_in_expired')
      await useSecondFactor(tx, checks, { id, origin }, given, 'second_factor')
      await begin(tx, account.user)
      return account.user
    })
  } catch (error) {
    if (isWrongFactor(error)) await transact((tx) => recordFailedSignIn(tx, id, origin))
    throw error
  }
}

const isWrongFactor = (error: unknown) =>
  error instanceof Refused && (error.code === 'wrong_code' || error.code === 'passkey_refused')

export async function signInWithPasskey(
  tx: Tx,
  site: Site,
  passkey: z.output<typeof PasskeyUse>,
  begin: Start,
): Promise<User> {
  const account = await queries.lockUser(tx, await usePasskeyToSignIn(tx, site, passkey))
  if (!account) throw refuse('passkey_refused')
  await begin(tx, account.user)
  return account.user
}

/**
 * Accounts with a second factor confirm with it, because somebody who stole the session may also know the
 * password.
 */
export async function confirmIdentity(
  tx: Tx,
  checks: Checks,
  { id, origin }: { id: string; origin: Origin },
  given: z.output<typeof confirmIdentityCall.body>,
  saveProof: (tx: Tx) => Promise<void>,
) {
  const { password } = await lockOwnAccount(tx, id)
  if (await hasSecondFactor(tx, id)) {
    if (!given.code && !given.passkey) throw refuse('use_second_factor')
    await useSecondFactor(tx, checks, { id, origin }, given, 'confirm')
  } else {
    if (password === null) throw refuse('no_password')
    if (!(await passwordMatches(password, given.password ?? ''))) throw refuse('wrong_password')
  }
  await saveProof(tx)
  await recordAudit(tx, { action: 'identity_confirmed', actorId: id, origin })
  return { ok: true as const }
}

/** Confirms with a new Google sign-in. False if it was another Google account, or if a second factor is needed. */
export async function confirmWithGoogle(
  tx: Tx,
  identity: GoogleIdentity,
  { id, origin }: { id: string; origin: Origin },
  saveProof: (tx: Tx) => Promise<void>,
): Promise<boolean> {
  await lockOwnAccount(tx, id)
  const linked = await queries.findByGoogleSubject(tx, identity.subject)
  if (linked?.id !== id || (await hasSecondFactor(tx, id))) return false
  await saveProof(tx)
  await recordAudit(tx, { action: 'identity_confirmed', actorId: id, origin })
  return true
}

/**
 * Counts an attempt to sign in. A browser that has signed in to this account before has its own count, so that
 * strangers who guess passwords do not lock the owner out (ADR 45).
 */
export async function countSignIn(
  { database, limits, sessions }: Pick<Services, 'database' | 'limits' | 'sessions'>,
  request: FastifyRequest,
  email: string,
): Promise<{ succeeded(): Promise<void> }> {
  const device = sessions.deviceOf(request)
  if (device && (await isKnownDeviceOfEmail(database.read, email, device.hash))) {
    const key = `${device.hash}:${email}`
    await limits.signInByDevice.count(key)
    return { succeeded: () => limits.signInByDevice.reset(key) }
  }
  const address = addressKey(request.ip)
  await limits.signInByAddress.count(address)
  await limits.signInByAccount.count(email)
  return {
    async succeeded() {
      await limits.signInByAddress.giveBack(address)
      await limits.signInByAccount.reset(email)
    },
  }
}

/** Records a sign-in and its device, and tells the user about a device that has not signed in before. */
export async function recordSignIn(tx: Tx, { userId, device, origin }: SignIn): Promise<void> {
  await recordAudit(tx, { action: 'signed_in', actorId: userId, origin })
  if ((await rememberDevice(tx, userId, device)) === 'known') return
  const account = await queries.findById(tx, userId)
  if (account?.user.email)
    await enqueueAccountEmail(tx, newDeviceEmail, { userId, address: account.user.email })
}

export async function recordSignOut(
  tx: Tx,
  { userId, origin }: Pick<SignIn, 'userId' | 'origin'>,
): Promise<void> {
  await recordAudit(tx, { action: 'signed_out', actorId: userId, origin })
}
