import { formatCents } from '@sought/contract/money'
import type { NotificationKind } from '@sought/contract/notification-kinds'
import type { Currency } from '@sought/contract/platform'
import type { Db, Tx } from '../../platform/database.ts'
import { refuse } from '../../platform/errors.ts'
import { announce } from '../../platform/events.ts'
import { asPublicUser } from '../../platform/public-user.ts'
import type { User } from '../../platform/session.ts'
import { eventOf, messageNotification, type NewNotification } from './build-notifications.ts'
import { notificationText, type Words } from './notification-texts.ts'
import {
  addMailOff,
  countUnread,
  deleteEmailsTo,
  deleteNotificationsTo,
  findFirstUnread,
  findMailOff,
  findNotifications,
  insertNotifications,
  markRead,
  type StoredNotification,
  setMailOff,
  type Which,
} from './queries.ts'
import { readUnsubscribeToken } from './unsubscribe-token.ts'

type Person = Pick<User, 'id'>

/** Tells people what has happened, in the page and by mail, if and when the transaction commits. */
export async function notify(tx: Tx, notifications: NewNotification[]): Promise<void> {
  if (notifications.length > 0) await insertNotifications(tx, notifications)
}

/** Tells the receiver of a message that was just written. */
export async function notifyOfMessage(
  tx: Tx,
  message: { wantedItemId: number; senderId: string; receiverId: string },
): Promise<void> {
  const firstUnread = await findFirstUnread(tx, message)
  if (firstUnread) await notify(tx, [messageNotification(message, firstUnread, tx.now)])
}

/** What somebody was told, in words. */
export function describeNotification(
  { notification, actor, item, payment }: StoredNotification,
  currency: Currency,
): Words {
  const buyerId = payment?.buyerId ?? item.userId
  return notificationText({
    happening: eventOf(notification.key),
    role: notification.userId === buyerId ? 'buyer' : 'seller',
    actorId: notification.actorId,
    actorName: actor ? asPublicUser(actor).name : '',
    itemId: item.id,
    itemTitle: item.title,
    paymentId: notification.paymentId ?? 0,
    amount: formatCents(notification.amount ?? 0, currency),
  })
}

export async function notificationsOf(
  db: Db,
  user: Person,
  page: { limit: number; before?: number | undefined },
  currency: Currency,
) {
  const found = await findNotifications(db, user.id, page)
  return found.map((thing) => {
    const { id, kind, readAt, createdAt } = thing.notification
    const { title, text, path } = describeNotification(thing, currency)
    const actor = thing.actor && asPublicUser(thing.actor)
    return { id, kind, title, text, path, actor, readAt, createdAt }
  })
}

export async function unreadOf(db: Db, user: Person) {
  return { unread: await countUnread(db, user.id) }
}

/** Other pages of the same person follow. */
export async function read(tx: Tx, which: Which, user: Person) {
  const changed = await markRead(tx, user.id, which)
  if (changed) await announce(tx, [user.id], { about: 'notifications' })
  return { ok: true as const }
}

export async function mailSettingsOf(db: Db, user: Person) {
  return { off: (await findMailOff(db, user.id)) as NotificationKind[] }
}

export async function changeMailSettings(tx: Tx, off: NotificationKind[], user: Person) {
  const once = [...new Set(off)]
  await setMailOff(tx, user.id, once)
  return { off: once }
}

/** Which mails a link is about, and whether they are switched off already. */
export async function lookUp(db: Db, token: string, sessionSecret: string) {
  const link = readUnsubscribeToken(token, sessionSecret)
  const off = link && (await findMailOff(db, link.userId))
  if (!off) throw refuse('link_expired')
  return { kind: link.kind, off: off.includes(link.kind) }
}

export async function unsubscribe(tx: Tx, token: string, sessionSecret: string) {
  const link = readUnsubscribeToken(token, sessionSecret)
  const done = link && (await addMailOff(tx, link.userId, link.kind))
  if (!done) throw refuse('link_expired')
  return { ok: true as const }
}

export async function deleteNotificationsOf(tx: Tx, userId: string): Promise<void> {
  await deleteEmailsTo(tx, userId)
  await deleteNotificationsTo(tx, userId)
}
