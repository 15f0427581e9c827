import type { NotificationKind } from '@sought/contract/notification-kinds'
import { and, desc, eq, gt, inArray, isNotNull, isNull, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../database/database.ts'
import { prepareOnce } from '../../database/prepared.ts'
import { columns, deleteRows, insertRow, updateRows } from '../../database/rows.ts'
import {
  mailEvents,
  mails,
  notifications,
  presence,
  standInTexts,
  suppressedEmails,
  users,
} from '../../database/schema.ts'

export async function insertEmail(
  tx: Tx,
  email: { address: string; kind: string } & ({ userId: string } | { supportMessageId: number }),
): Promise<number> {
  const { id } = await insertRow(tx, mails, { ...email, createdAt: tx.now })
  return id
}

export type Email = typeof mails.$inferSelect

/** Locks an email and returns it with its recipient's addresses and email settings. Visitors have none. */
export async function lockEmail(tx: Tx, id: number) {
  const [found] = await emailStatement(tx).execute({ id })
  return found
}

const emailStatement = prepareOnce((db) =>
  db
    .select({
      email: mails,
      currentAddress: users.email,
      isVerified: sql<boolean>`${users.emailVerifiedAt} is not null`,
      pendingAddress: users.pendingEmail,
      switchedOff: users.mailOff,
      deletedAt: users.deletedAt,
    })
    .from(mails)
    .leftJoin(users, eq(users.id, mails.userId))
    .where(eq(mails.id, sql.placeholder('id')))
    .for('update', { of: mails })
    .prepare(''),
)

/** Locks the recipient, so that emails to the same user are claimed one at a time. */
export async function lockRecipient(tx: Tx, emailId: number): Promise<void> {
  await recipientStatement(tx).execute({ emailId })
}

const recipientStatement = prepareOnce((db) =>
  db
    .select({ id: users.id })
    .from(users)
    .innerJoin(mails, eq(mails.userId, users.id))
    .where(eq(mails.id, sql.placeholder('emailId')))
    .for('no key update', { of: users })
    .prepare(''),
)

/**
 * When the recipient last had a page open, and when they were last sent an email of the same kind about the same
 * request and person. Emails with `held_until` are sent or being sent.
 */
export async function findReaderState(
  tx: Tx,
  emailId: number,
  { userId, kind, actorId, wantedItemId }: typeof notifications.$inferSelect,
) {
  const emailedAt = tx
    .select({ at: sql`max(coalesce(${mails.doneAt}, ${mails.heldUntil}))` })
    .from(mails)
    .innerJoin(notifications, eq(notifications.id, mails.notificationId))
    .where(
      and(
        eq(mails.userId, userId),
        ne(mails.id, emailId),
        eq(mails.kind, kind),
        isNotNull(mails.heldUntil),
        sql`${notifications.actorId} = ${actorId}`,
        sql`${notifications.wantedItemId} = ${wantedItemId}`,
      ),
    )
  const [found] = await tx
    .select({ seenAt: presence.seenAt, emailedAt: sql<Date | null>`(${emailedAt})`.mapWith(mails.doneAt) })
    .from(users)
    .leftJoin(presence, eq(presence.userId, users.id))
    .where(eq(users.id, userId))
  if (!found) throw new Error(`no user ${userId}`)
  return found
}

/**
 * The emails to the same person about the same deal, or of the same kind, that are not done or were sent lately. Oldest
 * first. The recipient is locked, so nobody else claims them.
 */
export function findRelatedEmails(
  tx: Tx,
  { userId }: Email,
  common: { paymentId: number } | { kind: string },
  sinceMs: number,
) {
  return tx
    .select({
      id: mails.id,
      heldUntil: mails.heldUntil,
      doneAt: mails.doneAt,
      notificationId: notifications.id,
      key: notifications.key,
      isSwitchedOff: sql<boolean>`${mails.kind} = any(${users.mailOff})`,
    })
    .from(mails)
    .innerJoin(notifications, eq(notifications.id, mails.notificationId))
    .innerJoin(users, eq(users.id, mails.userId))
    .where(
      and(
        eq(mails.userId, userId ?? ''),
        'kind' in common ? eq(mails.kind, common.kind) : eq(notifications.paymentId, common.paymentId),
        or(isNull(mails.doneAt), gt(mails.doneAt, new Date(tx.now.getTime() - sinceMs))),
      ),
    )
    .orderBy(mails.id)
}

export async function updateEmails(
  tx: Tx,
  ids: number[],
  change: Partial<typeof mails.$inferInsert>,
): Promise<void> {
  await tx.update(mails).set(change).where(inArray(mails.id, ids))
}

export async function insertSuppression(tx: Tx, address: string): Promise<void> {
  await tx
    .insert(suppressedEmails)
    .values({ address: address.toLowerCase(), refusedAt: tx.now })
    .onConflictDoUpdate({ target: suppressedEmails.address, set: { refusedAt: tx.now } })
}

/** Returns false if the event was handled before. */
export async function insertMailEvent(tx: Tx, id: string): Promise<boolean> {
  const inserted = await tx
    .insert(mailEvents)
    .values({ id, receivedAt: tx.now })
    .onConflictDoNothing()
    .returning({ id: mailEvents.id })
  return inserted.length > 0
}

/** Locks the users with these addresses, so that none deletes the account before its suppression is stored. */
export function lockOwners(tx: Tx, addresses: string[]) {
  const listed = (column: SQL) => sql`lower(${column}) = any(${sql.param(addresses)}::text[])`
  return tx
    .select({ userId: users.id, ...columns(users, 'email', 'pendingEmail') })
    .from(users)
    .where(or(listed(sql`${users.email}`), listed(sql`${users.pendingEmail}`)))
    .orderBy(users.id)
    .for('no key update')
}

export async function switchOffEmails(tx: Tx, userId: string, kinds: NotificationKind[]): Promise<void> {
  await updateRows(tx, users, { id: userId }, { mailOff: kinds })
}

/** Returns whether the address was suppressed. */
export async function deleteSuppression(tx: Tx, address: string): Promise<boolean> {
  return deleteRows(tx, suppressedEmails, { address: address.toLowerCase() })
}

/** Which of these addresses are suppressed, in lower case. */
export async function findSuppressed(db: Db, addresses: string[]): Promise<string[]> {
  const found = await db
    .select({ address: suppressedEmails.address })
    .from(suppressedEmails)
    .where(
      inArray(
        suppressedEmails.address,
        addresses.map((address) => address.toLowerCase()),
      ),
    )
  return found.map(({ address }) => address)
}

const DEV_EMAILS_MAX = 100

/** The latest emails that were stored instead of sent. */
export function findDevTexts(db: Db) {
  return db.select().from(standInTexts).orderBy(desc(standInTexts.id)).limit(DEV_EMAILS_MAX)
}

export function findDevEmails(db: Db) {
  return db.select().from(mails).where(isNotNull(mails.subject)).orderBy(desc(mails.id)).limit(DEV_EMAILS_MAX)
}
