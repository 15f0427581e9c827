import type { NotificationKind } from '@sought/contract/notification-kinds'
import { and, count, desc, eq, inArray, isNull, lt, not, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db, Tx } from '../../database/database.ts'
import { opaquePlaceholder, prepareOnce } from '../../database/prepared.ts'
import { columns } from '../../database/rows.ts'
import { quoteAll } from '../../database/schema/columns.ts'
import {
  notifications,
  offerRequests,
  payments,
  suppressedEmails,
  users,
  wantedItems,
} from '../../database/schema.ts'
import { announceSql } from '../../http/events.ts'
import { enqueueSql } from '../../runtime/jobs.ts'
import { areBlocked } from '../users/blocks.ts'
import { publicColumns } from '../users/public-user.ts'
import { BROWSERS_MAX } from './push-queries.ts'
import { PRESENT_MS, RECHECK_MS } from './while-away.ts'

/** A notification for one person. */
export interface NewNotification {
  to: string
  kind: NotificationKind
  /** The event and what it is about. A person is notified once per key. */
  key: string
  by?: string
  wantedItemId?: number
  paymentId?: number
  /** A reply of our team to a support question. */
  supportMessageId?: number
  amount?: number
  /** Emails and push notifications wait while the person has a page open. */
  whileAway?: boolean
}

/** A PostgreSQL NOTIFY payload is limited to 8,000 bytes, and a user id has about 40. */
const USERS_PER_EVENT = 100
/** Up to this many emails get a job each. More share one, so that adding their jobs delays no transaction. */
const FEW = 10

interface Subject {
  to: SQL
  kind: SQL
  by: SQL
  wantedItemId: SQL
  paymentId: SQL
}

/**
 * Whether the recipient has blocked the other person, or was blocked by them. The other person is the actor or
 * the owner of the request. Notifications about deals are still sent, from the accepted offer to the review.
 */
const isBetweenBlocked = ({ to, kind, by, wantedItemId, paymentId }: Subject): SQL<boolean> => sql`(
  ${paymentId} is null and ${kind} <> 'offer_accepted' and (
    ${areBlocked(to, by)}
    or exists (select from wanted_items about where about.id = ${wantedItemId} and ${areBlocked(to, sql`about.user_id`)})
  ))`

const newSubject: Subject = {
  to: sql`note."to"`,
  kind: sql`note.kind`,
  by: sql`note.by`,
  wantedItemId: sql`note."wantedItemId"`,
  paymentId: sql`note."paymentId"`,
}

const storedSubject: Subject = {
  to: sql`${notifications.userId}`,
  kind: sql`${notifications.kind}`,
  by: sql`${notifications.actorId}`,
  wantedItemId: sql`${notifications.wantedItemId}`,
  paymentId: sql`${notifications.paymentId}`,
}

/**
 * Inserts notifications and the emails for them, enqueues emails and push notifications, and announces the
 * notifications to open pages. Skips notifications that were sent before, those to deleted users and those between
 * people who are blocked. It is one statement for any number of notifications, because a sweep releases many payments at
 * once (ADR 36). `limit` makes PostgreSQL look up each user by index instead of scanning the whole table. The lock waits
 * for a deletion of the account.
 */
export async function insertNotifications(tx: Tx, added: NewNotification[]): Promise<void> {
  const now = sql`${tx.now.toISOString()}::timestamptz`
  const waiting = added.filter(({ whileAway }) => whileAway).map(({ kind }) => kind)
  const announceToUsers = announceSql(sql`json_agg(user_id)`, { about: 'notifications' })
  await tx.execute(sql`
    with inserted as (
      insert into ${notifications}
        (user_id, kind, key, actor_id, wanted_item_id, payment_id, support_message_id, amount, created_at)
      select users.id, note.kind, note.key, note.by, note."wantedItemId", note."paymentId",
        note."supportMessageId", note.amount, ${now}
      from json_to_recordset(${JSON.stringify(added)}) as note ("to" text, kind text, key text, by text,
          "wantedItemId" integer, "paymentId" integer, "supportMessageId" integer, amount bigint),
        lateral (
          select id from users where id = note."to" and deleted_at is null limit 1 for key share) users
      where not ${isBetweenBlocked(newSubject)}
      on conflict (user_id, key) do nothing
      returning id, user_id, kind
    ), timed as (
      select id, user_id, kind, ${sendAt(now, waiting)} as run_at from inserted
    ), mailed as (
      insert into mails (user_id, address, kind, notification_id, created_at)
      select timed.user_id, users.email, timed.kind, timed.id, ${now}
      from timed, lateral (select email, mail_off from users where id = timed.user_id limit 1) users
      where users.email is not null and timed.kind <> all(users.mail_off)
      returning id, notification_id
    ), to_send as (
      select json_build_object('mailIds', json_agg(mailed.id order by mailed.id)) as payload, run_at
      from mailed join timed on timed.id = mailed.notification_id
      group by run_at, case when (select count(*) from mailed) <= ${FEW}::integer then mailed.id end
    ), to_push as (
      select json_build_object('pushes', json_agg(
        json_build_object('notificationId', timed.id, 'subscriptionId', browsers.id))) as payload, run_at
      from timed, lateral (
        select id from push_subscriptions where user_id = timed.user_id limit ${BROWSERS_MAX}::integer) browsers
      group by run_at
    ), people as (
      select user_id, row_number() over () / ${USERS_PER_EVENT}::integer as part from inserted group by user_id
    )
    select (select count(*) from (select ${announceToUsers} from people group by part) announced),
      (select count(*) from to_send, lateral ${enqueueSql('send-mail', toSend)}),
      (select count(*) from to_push, lateral ${enqueueSql('send-push', toPush)})`)
}

const toSend = { payload: sql`to_send.payload`, runAt: sql`to_send.run_at` }
const toPush = { payload: sql`to_push.payload`, runAt: sql`to_push.run_at` }

/**
 * When the email and the push notifications for an inserted notification are due, null for at once. A job of a waiting
 * kind for somebody who has a page open would only be postponed (`whenToSend`).
 */
const sendAt = (now: SQL, waiting: NotificationKind[]) => sql`
  case when ${JSON.stringify(waiting)}::jsonb ? kind and exists (
    select from presence where presence.user_id = inserted.user_id
      and seen_at > ${now} - ${PRESENT_MS}::integer * interval '1 ms')
  then ${now} + ${RECHECK_MS}::integer * interval '1 ms' end`

const actors = alias(users, 'actors')

/** Kinds whose key names an offer. Its notifications show the request as the offer answers it (ADR 93). */
const OFFER_KINDS: NotificationKind[] = [
  'offer_made',
  'offer_accepted',
  'offer_rejected',
  'offer_countered',
  'request_changed',
]
const aboutOffer = sql`case when ${notifications.kind} in (${quoteAll(OFFER_KINDS)})
  then split_part(${notifications.key}, ':', 2)::integer end`

/** A message between the parties of a deal is about the request as they agreed on it. */
const agreedOffer = sql`case when ${notifications.kind} = 'message' then (
  select id from offers where wanted_item_id = ${notifications.wantedItemId} and status = 'accepted'
    and buyer_id in (${notifications.userId}, ${notifications.actorId})
    and seller_id in (${notifications.userId}, ${notifications.actorId})
  order by accepted_at desc limit 1) end`

/** Notifications about payments take the item from the payment. A few notifications are not about an item. */
function selectNotifications(db: Db) {
  return db
    .select({
      notification: notifications,
      actor: publicColumns(actors),
      item: {
        ...columns(wantedItems, 'id', 'userId', 'status', 'expiresAt', 'hiddenAt', 'currency'),
        title: sql<string>`coalesce(${offerRequests.title}, ${wantedItems.title})`,
      },
      payment: {
        buyerId: payments.buyerId,
        currency: payments.currency,
        transactionNumber: payments.transactionNumber,
        carrier: payments.carrier,
        trackingNumber: payments.trackingNumber,
        status: payments.status,
        escrowHoldUntil: payments.escrowHoldUntil,
        completedAt: payments.completedAt,
        endedAt: payments.endedAt,
        updatedAt: payments.updatedAt,
      },
    })
    .from(notifications)
    .leftJoin(actors, eq(actors.id, notifications.actorId))
    .leftJoin(payments, eq(payments.id, notifications.paymentId))
    .leftJoin(
      offerRequests,
      eq(offerRequests.offerId, sql`coalesce(${payments.offerId}, ${aboutOffer}, ${agreedOffer})`),
    )
    .leftJoin(
      wantedItems,
      eq(wantedItems.id, sql`coalesce(${notifications.wantedItemId}, ${payments.wantedItemId})`),
    )
}

/**
 * Kinds that are still shown after moderators hide the request. Payment notifications have no item id, so
 * they stay too.
 */
const CONTINUED_KINDS: NotificationKind[] = ['message', 'offer_accepted', 'moderation']
const REVIEW_KINDS: NotificationKind[] = ['rating_received', 'review_published']

/** Notifications about requests and reviews that moderators have hidden are neither shown nor sent. */
const isShown = sql`not exists (
    select from wanted_items item where item.id = ${notifications.wantedItemId} and item.hidden_at is not null
      and ${notifications.kind} not in (${quoteAll(CONTINUED_KINDS)})
  ) and not exists (
    select from reviews where reviews.payment_id = ${notifications.paymentId}
      and reviews.author_id = ${notifications.actorId} and reviews.hidden_at is not null
      and ${notifications.kind} in (${quoteAll(REVIEW_KINDS)})
  )`

export type NotificationRow = Awaited<ReturnType<typeof findNotifications>>[number]

export function findNotifications(db: Db, userId: string, { limit, before = NEWEST, events = null }: Page) {
  return notificationsStatement(db).execute({ userId, limit, before, events })
}

interface Page {
  limit: number
  before?: number | undefined
  /** Only these events. */
  events?: readonly string[] | null
}

/** The event is the first part of the key. */
const isOneOf = (events: SQL) => sql`split_part(${notifications.key}, ':', 1) = any(${events}::text[])`

const NEWEST = 2_147_483_647

const notificationsStatement = prepareOnce((db) =>
  selectNotifications(db)
    .where(
      and(
        eq(notifications.userId, opaquePlaceholder('userId', 'text')),
        lt(notifications.id, opaquePlaceholder('before', 'integer')),
        isShown,
        sql`(${sql.placeholder('events')}::text[] is null or ${isOneOf(sql`${sql.placeholder('events')}`)})`,
      ),
    )
    .orderBy(desc(notifications.id))
    .limit(sql.placeholder('limit'))
    .prepare(''),
)

/**
 * A notification that is about to be sent. Undefined if the people were blocked or the content was hidden
 * since.
 */
export async function findNotification(db: Db, id: number): Promise<NotificationRow | undefined> {
  const [found] = await notificationStatement(db).execute({ id })
  return found
}

const notificationStatement = prepareOnce((db) =>
  selectNotifications(db)
    .where(and(eq(notifications.id, sql.placeholder('id')), isShown, not(isBetweenBlocked(storedSubject))))
    .prepare(''),
)

const unread = isNull(notifications.readAt)

export async function countUnread(db: Db, userId: string, events: readonly string[]): Promise<number> {
  const [found] = await db
    .select({ unread: count() })
    .from(notifications)
    .where(and(eq(notifications.userId, userId), unread, isShown, isOneOf(sql`${sql.param(events)}`)))
  return found?.unread ?? 0
}

/** Selects one notification, those with these keys, or those of a conversation. An empty filter selects all. */
export interface ReadFilter {
  id?: number | undefined
  keys?: string[]
  conversation?: { kinds: NotificationKind[]; wantedItemId: number; actorId?: string | undefined }
}

/** Returns whether any notification changed. */
export async function markRead(
  tx: Tx,
  userId: string,
  { id, keys, conversation }: ReadFilter,
): Promise<boolean> {
  const marked = await tx
    .update(notifications)
    .set({ readAt: tx.now })
    .where(
      and(
        eq(notifications.userId, userId),
        unread,
        id ? eq(notifications.id, id) : undefined,
        keys ? inArray(notifications.key, keys) : undefined,
        conversation
          ? and(
              inArray(notifications.kind, conversation.kinds),
              eq(notifications.wantedItemId, conversation.wantedItemId),
              conversation.actorId ? eq(notifications.actorId, conversation.actorId) : undefined,
            )
          : undefined,
      ),
    )
    .returning({ id: notifications.id })
  return marked.length > 0
}

const active = isNull(users.deletedAt)

/** The kinds of email that a user has switched off; undefined if there is no such user. */
export async function findSwitchedOffKinds(db: Db, userId: string): Promise<string[] | undefined> {
  const [found] = await db
    .select({ off: users.mailOff })
    .from(users)
    .where(and(eq(users.id, userId), active))
  return found?.off
}

/** Returns false if there is no such user. */
export async function switchKindOff(tx: Tx, userId: string, kind: NotificationKind): Promise<boolean> {
  const changed = await tx
    .update(users)
    .set({ mailOff: sql`array_append(array_remove(${users.mailOff}, ${kind}), ${kind})` })
    .where(and(eq(users.id, userId), active))
    .returning({ id: users.id })
  return changed.length > 0
}

/** Lifts the suppression of the user's addresses. */
export async function deleteSuppressionsOf(tx: Tx, userId: string): Promise<void> {
  await tx
    .delete(suppressedEmails)
    .where(
      sql`${suppressedEmails.address} in (select lower(unnest(array[email, pending_email])) from ${users} where id = ${userId})`,
    )
}

export async function deleteNotificationsTo(tx: Tx, userId: string): Promise<void> {
  await tx.delete(notifications).where(eq(notifications.userId, userId))
}
