import type { DeploymentDefaults } from '@sought/contract/market-settings'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import { refuse } from '../../../core/errors.ts'
import type { Tx } from '../../../database/database.ts'
import { users } from '../../../database/schema.ts'
import * as queries from './queries.ts'

/*
 * A user may have deleted their account after the request was authenticated. Actions that create something other
 * people can answer, such as a request or an offer, lock the users involved first: a locked account cannot be
 * deleted before the transaction ends.
 */

/** Refuses a user who has deleted their account. */
export async function lockActiveUser(tx: Tx, id: string): Promise<void> {
  if (!(await areActive(tx, [id]))) throw refuse('signed_out')
}

/**
 * Locks users against deletion until the transaction ends. False if one of them has deleted their account. `key share`
 * is the weakest lock that does this: other updates, such as a new rating, do not have to wait.
 */
export async function areActive(tx: Tx, ids: string[]): Promise<boolean> {
  const locked = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(inArray(users.id, ids), isNull(users.deletedAt)))
    .orderBy(users.id)
    .for('key share')
  return locked.length === ids.length
}

/**
 * Refuses users whom moderators have barred from posting requests, making offers and starting conversations, and
 * those who have deleted their account. Also checks for a suspension after the request was authenticated, because new
 * content would stay open.
 */
export async function requireUnrestricted(tx: Tx, id: string): Promise<void> {
  const sanctions = await queries.lockSanctions(tx, id)
  if (!sanctions) throw refuse('signed_out')
  const { restrictedUntil, suspendedUntil } = sanctions
  if (suspendedUntil !== null && suspendedUntil > tx.now) throw refuse('suspended')
  if (restrictedUntil !== null && restrictedUntil > tx.now) throw refuse('restricted')
}

/** If the operator wants it, only users with a verified email address make or accept offers, and pay. */
export async function requireVerifiedEmail(
  tx: Tx,
  id: string,
  settings: Pick<DeploymentDefaults, 'requireVerifiedEmail'>,
): Promise<void> {
  if (!settings.requireVerifiedEmail) return
  const [found] = await tx.select({ verifiedAt: users.emailVerifiedAt }).from(users).where(eq(users.id, id))
  if (!found?.verifiedAt) throw refuse('verify_email_first')
}
