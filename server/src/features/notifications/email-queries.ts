import type { AccountEmailKind, VisitorEmailKind } from '@sought/contract/notification-kinds'
import { and, desc, eq, gt, inArray, isNotNull, ne, not, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../database/database.ts'
import { prepareOnce } from '../../database/prepared.ts'
import {
  mails,
  messages,
  notifications,
  presence,
  searchAlerts,
  standInTexts,
  supportMessages,
  supportTickets,
  suppressedEmails,
  users,
  wantedItems,
} from '../../database/schema.ts'
import { areBlocked } from '../users/blocks.ts'

export async function insertEmail(
  tx: Tx,
  email:
    | { userId: string; address: string; kind: AccountEmailKind }
    | { supportMessageId: number; address: string; kind: VisitorEmailKind },
): Promise<number> {
  const [inserted] = await tx
    .insert(mails)
    .values({ ...email, createdAt: tx.now })
    .returning({ id: mails.id })
  if (!inserted) throw new Error('insert returned no row')
  return inserted.id
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

interface Conversation {
  /** Excluded when earlier emails are counted. */
  emailId: number
  userId: string
  actorId: string
  wantedItemId: number
}

/**
 * The state that decides whether to email a user about a conversation. Emails with `held_until` are sent or
 * being sent.
 */
export async function findMessageEmailState(
  tx: Tx,
  { emailId, userId, actorId, wantedItemId }: Conversation,
) {
  const unread = tx
    .select({ one: sql`1` })
    .from(messages)
    .where(
      and(
        eq(messages.wantedItemId, wantedItemId),
        eq(messages.senderId, actorId),
        eq(messages.receiverId, userId),
        eq(messages.isRead, false),
      ),
    )
  const emailedAt = tx
    .select({ at: sql`max(coalesce(${mails.doneAt}, ${mails.heldUntil}))` })
    .from(mails)
    .innerJoin(notifications, eq(notifications.id, mails.notificationId))
    .where(
      and(
        eq(mails.userId, userId),
        ne(mails.id, emailId),
        eq(mails.kind, 'message'),
        isNotNull(mails.heldUntil),
        eq(notifications.actorId, actorId),
        eq(notifications.wantedItemId, wantedItemId),
      ),
    )
  const seenAt = tx.select({ at: presence.seenAt }).from(presence).where(eq(presence.userId, userId))
  const [found] = await tx
    .select({
      unread: sql<boolean>`exists ${unread}`,
      seenAt: sql<Date | null>`(${seenAt})`.mapWith(presence.seenAt),
      emailedAt: sql<Date | null>`(${emailedAt})`.mapWith(mails.doneAt),
    })
    .from(users)
    .where(eq(users.id, userId))
  if (!found) throw new Error(`no user ${userId}`)
  return found
}

/** The ticket of an email to a visitor. Undefined once the ticket is deleted. */
export async function findTicketOf(tx: Tx, supportMessageId: number) {
  const [found] = await tx
    .select({ id: supportTickets.id, subject: supportTickets.subject, message: supportMessages.content })
    .from(supportMessages)
    .innerJoin(supportTickets, eq(supportTickets.id, supportMessages.ticketId))
    .where(eq(supportMessages.id, supportMessageId))
  return found
}

/** The open requests of a digest, newest first. Leaves out requests of blocked people. */
export function findDigestItems(tx: Tx, userId: string, sentAt: Date, limit: number) {
  return tx
    .select({
      id: wantedItems.id,
      title: wantedItems.title,
      minBudget: wantedItems.minBudget,
      maxBudget: wantedItems.maxBudget,
      category: wantedItems.category,
      location: wantedItems.location,
    })
    .from(searchAlerts)
    .innerJoin(wantedItems, eq(wantedItems.id, searchAlerts.wantedItemId))
    .where(
      and(
        eq(searchAlerts.userId, userId),
        eq(searchAlerts.digestAt, sentAt),
        eq(wantedItems.status, 'open'),
        gt(wantedItems.expiresAt, tx.now),
        not(areBlocked(userId, wantedItems.userId)),
      ),
    )
    .orderBy(desc(wantedItems.id))
    .limit(limit)
}

export async function updateEmail(
  tx: Tx,
  id: number,
  change: Partial<typeof mails.$inferInsert>,
): Promise<void> {
  await tx.update(mails).set(change).where(eq(mails.id, id))
}

export async function insertSuppression(tx: Tx, address: string): Promise<void> {
  await tx
    .insert(suppressedEmails)
    .values({ address: address.toLowerCase(), refusedAt: tx.now })
    .onConflictDoUpdate({ target: suppressedEmails.address, set: { refusedAt: tx.now } })
}

/** Returns whether the address was suppressed. */
export async function deleteSuppression(tx: Tx, address: string): Promise<boolean> {
  const { rowCount } = await tx
    .delete(suppressedEmails)
    .where(eq(suppressedEmails.address, address.toLowerCase()))
  return rowCount !== 0
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
