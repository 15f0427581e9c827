import type { Db, Tx } from '../../database/database.ts'
import { announce } from '../../http/events.ts'
import type { User } from '../../http/session.ts'
import type { MailOutcome } from '../../providers/mail/mailer.ts'
import type { Email } from './email-queries.ts'
import * as emailQueries from './email-queries.ts'

export async function isSuppressed(db: Db, address: string): Promise<boolean> {
  return (await emailQueries.findSuppressed(db, [address])).length > 0
}

/**
 * Suppresses an address that does not exist. Lifts the suppression when a later email that its user asked for is
 * accepted.
 */
export async function recordOutcome(
  tx: Tx,
  { id, userId, address }: Email,
  outcome: MailOutcome,
  isAskedFor: boolean,
): Promise<void> {
  // If the account was deleted in the meantime, nothing about its address is stored.
  await emailQueries.lockRecipient(tx, id)
  if (!(await emailQueries.lockEmail(tx, id))) return
  if (outcome === 'no_mailbox') await emailQueries.insertSuppression(tx, address)
  const isLifted = outcome === 'sent' && isAskedFor && (await emailQueries.deleteSuppression(tx, address))
  if (userId && (outcome === 'no_mailbox' || isLifted)) await announce(tx, [userId], { about: 'everything' })
}

/** The user's addresses that reject our emails. */
export async function undeliverableOf(db: Db, { email, pendingEmail }: Pick<User, 'email' | 'pendingEmail'>) {
  const own = [email, pendingEmail].filter((address) => address !== null)
  const suppressed = await emailQueries.findSuppressed(db, own)
  return { undeliverable: own.filter((address) => suppressed.includes(address.toLowerCase())) }
}
