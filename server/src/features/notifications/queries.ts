import type { NotificationKind } from '@sought/contract/notification-kinds'
import { and, asc, count, desc, eq, inArray, isNull, lt, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db, Tx } from '../../platform/database.ts'
import { announcing } from '../../platform/events.ts'
import { enqueueing } from '../../platform/jobs.ts'
import { mails, messages, notifications, payments, users, wantedItems } from '../../platform/schema.ts'
import type { NewNotification } from './build-notifications.ts'

/** A piece of news holds 8,000 bytes, and somebody's id some 40. */
const PEOPLE_IN_NEWS = 100

/**
 * Writes down what people are told and a mail of each to those who want it, has the mails sent and announces it to
 * open pages. What somebody was told before, and what concerns a person who is gone, is left out. All in one
 * statement, however many there are, since every release tells somebody (ADR 36). The limits of one keep
 * PostgreSQL from reading all users for a few dozen.
 */
export async function insertNotifications(tx: Tx, notes: NewNotification[]): Promise<void> {
  const now = sql`${tx.now.toISOString()}::timestamptz`
  const toThem = announcing(sql`json_agg(user_id)`, { about: 'notifications' })
  await tx.execute(sql`
    with told as (
      insert into ${notifications}
        (user_id, kind, key, actor_id, wanted_item_id, payment_id, amount, created_at)
      select users.id, note.kind, note.key, note.by, note."wantedItemId", note."paymentId", note.amount, ${now}
      from json_to_recordset(${JSON.stringify(notes)}) as note ("to" text, kind text, key text, by text,
          "wantedItemId" integer, "paymentId" integer, amount integer),
        lateral (select id from users where id = note."to" and deleted_at is null limit 1) users
      on conflict (user_id, key) do nothing
      returning id, user_id, kind
    ), mailed as (
      insert into mails (user_id, address, kind, notification_id, created_at)
      select told.user_id, users.email, told.kind, told.id, ${now}
      from told, lateral (select email, mail_off from users where id = told.user_id limit 1) users
      where users.email is not null and told.kind <> all(users.mail_off)
      returning id
    ), to_send as (
      select json_build_object('mailIds', json_agg(id order by id)) as payload from mailed having count(*) > 0
    ), people as (
      select user_id, row_number() over () / ${PEOPLE_IN_NEWS}::integer as part from told group by user_id
    )
    select (select count(*) from (select ${toThem} from people group by part) announced),
      (select count(*) from to_send, lateral ${enqueueing('send-mail', sql`to_send.payload`)})`)
}

const actors = alias(users, 'actors')

/** With all that it takes to say it in words. A payment knows its own item. */
function selectTold(db: Db) {
  return db
    .select({
      notification: notifications,
      actor: actors,
      item: { id: wantedItems.id, title: wantedItems.title, userId: wantedItems.userId },
      payment: { buyerId: payments.buyerId },
    })
    .from(notifications)
    .leftJoin(actors, eq(actors.id, notifications.actorId))
    .leftJoin(payments, eq(payments.id, notifications.paymentId))
    .innerJoin(
      wantedItems,
      eq(wantedItems.id, sql`coalesce(${notifications.wantedItemId}, ${payments.wantedItemId})`),
    )
}

export type StoredNotification = Awaited<ReturnType<typeof findNotifications>>[number]

export function findNotifications(
  db: Db,
  userId: string,
  { limit, before }: { limit: number; before?: number | undefined },
) {
  return selectTold(db)
    .where(and(eq(notifications.userId, userId), before ? lt(notifications.id, before) : undefined))
    .orderBy(desc(notifications.id))
    .limit(limit)
}

export async function findNotification(db: Db, id: number): Promise<StoredNotification | undefined> {
  const [found] = await selectTold(db).where(eq(notifications.id, id))
  return found
}

const unread = isNull(notifications.readAt)

export async function countUnread(db: Db, userId: string): Promise<number> {
  const [found] = await db
    .select({ unread: count() })
    .from(notifications)
    .where(and(eq(notifications.userId, userId), unread))
  return found?.unread ?? 0
}

/** Which of somebody's unread notifications: one, those of a conversation, or all. */
export interface Which {
  id?: number | undefined
  conversation?: { wantedItemId: number; actorId?: string | undefined }
}

/** Marks them as read, and says whether there were any. */
export async function markRead(tx: Tx, userId: string, { id, conversation }: Which): Promise<boolean> {
  const marked = await tx
    .update(notifications)
    .set({ readAt: tx.now })
    .where(
      and(
        eq(notifications.userId, userId),
        unread,
        id ? eq(notifications.id, id) : undefined,
        conversation
          ? and(
              eq(notifications.kind, 'message'),
              eq(notifications.wantedItemId, conversation.wantedItemId),
              conversation.actorId ? eq(notifications.actorId, conversation.actorId) : undefined,
            )
          : undefined,
      ),
    )
    .returning({ id: notifications.id })
  return marked.length > 0
}

/** The earliest message of a conversation that its receiver has not read. */
export async function findFirstUnread(
  tx: Tx,
  { wantedItemId, senderId, receiverId }: { wantedItemId: number; senderId: string; receiverId: string },
) {
  const [found] = await tx
    .select({ id: messages.id, createdAt: messages.createdAt })
    .from(messages)
    .where(
      and(
        eq(messages.wantedItemId, wantedItemId),
        eq(messages.senderId, senderId),
        eq(messages.receiverId, receiverId),
        eq(messages.isRead, false),
      ),
    )
    .orderBy(asc(messages.id))
    .limit(1)
  return found
}

const active = isNull(users.deletedAt)

/** The kinds of mail that somebody has switched off; undefined if there is no such person. */
export async function findMailOff(db: Db, userId: string): Promise<string[] | undefined> {
  const [found] = await db
    .select({ off: users.mailOff })
    .from(users)
    .where(and(eq(users.id, userId), active))
  return found?.off
}

export async function setMailOff(tx: Tx, userId: string, off: NotificationKind[]): Promise<void> {
  await tx.update(users).set({ mailOff: off }).where(eq(users.id, userId))
}

/** Switches one kind off, and says whether there is such a person. */
export async function addMailOff(tx: Tx, userId: string, kind: NotificationKind): Promise<boolean> {
  const changed = await tx
    .update(users)
    .set({ mailOff: sql`array_append(array_remove(${users.mailOff}, ${kind}), ${kind})` })
    .where(and(eq(users.id, userId), active))
    .returning({ id: users.id })
  return changed.length > 0
}

/** Deletes the oldest of what is older than that, as many as asked for at most. Ids grow with time. */
export async function deleteOldest(db: Db, before: Date, limit: number): Promise<number> {
  const oldest = db
    .select({ id: notifications.id })
    .from(notifications)
    .orderBy(notifications.id)
    .limit(limit)
  const deleted = await db
    .delete(notifications)
    .where(and(inArray(notifications.id, oldest), lt(notifications.createdAt, before)))
    .returning({ id: notifications.id })
  return deleted.length
}

export async function deleteEmailsTo(tx: Tx, userId: string): Promise<void> {
  await tx.delete(mails).where(eq(mails.userId, userId))
}

export async function deleteNotificationsTo(tx: Tx, userId: string): Promise<void> {
  await tx.delete(notifications).where(eq(notifications.userId, userId))
}
