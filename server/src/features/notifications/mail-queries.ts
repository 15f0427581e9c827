import type { AccountEmailKind } from '@sought/contract/notification-kinds'
import { and, desc, eq, isNotNull, lt, ne, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../platform/database.ts'
import { mails, messages, notifications, presence, users } from '../../platform/schema.ts'

export async function insertMail(
  tx: Tx,
  mail: { userId: string; address: string; kind: AccountEmailKind },
): Promise<number> {
  const [inserted] = await tx
    .insert(mails)
    .values({ ...mail, createdAt: tx.now })
    .returning({ id: mails.id })
  if (!inserted) throw new Error('insert returned no row')
  return inserted.id
}

export type Mail = typeof mails.$inferSelect

/** A mail, locked, with what its person wants and where they are reached today. */
export async function lockMail(tx: Tx, id: number) {
  const [found] = await tx
    .select({
      mail: mails,
      email: users.email,
      pendingEmail: users.pendingEmail,
      mailOff: users.mailOff,
      deletedAt: users.deletedAt,
    })
    .from(mails)
    .innerJoin(users, eq(users.id, mails.userId))
    .where(eq(mails.id, id))
    .for('update', { of: mails })
  return found
}

/** Whoever is about to mail a person keeps others from mailing them meanwhile. */
export async function lockReceiver(tx: Tx, mailId: number): Promise<void> {
  await tx
    .select({ id: users.id })
    .from(users)
    .innerJoin(mails, eq(mails.userId, users.id))
    .where(eq(mails.id, mailId))
    .for('no key update', { of: users })
}

interface Conversation {
  /** Other mails than this one. */
  mailId: number
  userId: string
  actorId: string
  wantedItemId: number
}

/** What decides whether somebody is mailed about a conversation. A mail that was held was sent, or is being sent. */
export async function findSituation(tx: Tx, { mailId, userId, actorId, wantedItemId }: Conversation) {
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
  const mailedAt = tx
    .select({ at: sql`max(coalesce(${mails.doneAt}, ${mails.heldUntil}))` })
    .from(mails)
    .innerJoin(notifications, eq(notifications.id, mails.notificationId))
    .where(
      and(
        eq(mails.userId, userId),
        ne(mails.id, mailId),
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
      mailedAt: sql<Date | null>`(${mailedAt})`.mapWith(mails.doneAt),
    })
    .from(users)
    .where(eq(users.id, userId))
  if (!found) throw new Error(`nobody is called ${userId}`)
  return found
}

export async function updateMail(
  tx: Tx,
  id: number,
  change: Partial<typeof mails.$inferInsert>,
): Promise<void> {
  await tx.update(mails).set(change).where(eq(mails.id, id))
}

const KEPT_MAX = 100

/** The latest mails whose words were kept. */
export function findKept(db: Db) {
  return db.select().from(mails).where(isNotNull(mails.subject)).orderBy(desc(mails.id)).limit(KEPT_MAX)
}

export async function deleteMails(db: Db, before: Date): Promise<void> {
  await db.delete(mails).where(lt(mails.createdAt, before))
}
