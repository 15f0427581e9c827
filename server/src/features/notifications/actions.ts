import type { NotificationKind } from '@sought/contract/notification-kinds'
import { refuse } from '../../core/errors.ts'
import type { Keys } from '../../core/keys.ts'
import type { Db, Tx } from '../../database/database.ts'
import { deleteRows, updateRows } from '../../database/rows.ts'
import { mails, users } from '../../database/schema.ts'
import { announce } from '../../http/events.ts'
import type { User } from '../../http/session.ts'
import { asPublicUser } from '../users/public-user.ts'
import type { Notifications } from './describe-notifications.ts'
import { findDevEmails, findDevTexts } from './email-queries.ts'
import type { NewNotification, ReadFilter } from './queries.ts'
import * as queries from './queries.ts'
import { readUnsubscribeToken } from './unsubscribe-token.ts'

export type { NewNotification }

type Person = Pick<User, 'id'>

/** Notifies people in the app and by email once the transaction commits. */
export async function notify(tx: Tx, notifications: NewNotification[]): Promise<void> {
  if (notifications.length > 0) await queries.insertNotifications(tx, notifications)
}

export async function notificationsOf(
  db: Db,
  user: Person,
  page: { limit: number; before?: number | undefined },
  notifications: Notifications,
) {
  const { events } = notifications
  const found = await queries.findNotifications(db, user.id, { ...page, events })
  const described = await notifications.describe(db, found)
  return described.map(({ notification, actor, content }) => {
    const { id, kind, readAt, createdAt } = notification
    const { title, text, path } = content
    return { id, kind, title, text, path, actor: actor && asPublicUser(actor), readAt, createdAt }
  })
}

export async function countUnreadOf(db: Db, user: Person, { events }: Notifications) {
  return { unread: await queries.countUnread(db, user.id, events) }
}

/** Also updates the other open pages of the same user. */
export async function markNotificationsRead(tx: Tx, filter: ReadFilter, user: Person) {
  const changed = await queries.markRead(tx, user.id, filter)
  if (changed) await announce(tx, [user.id], { about: 'notifications' })
  return { ok: true as const }
}

export async function emailSettingsOf(db: Db, user: Person) {
  return { off: (await queries.findSwitchedOffKinds(db, user.id)) as NotificationKind[] }
}

export async function changeEmailSettings(tx: Tx, off: NotificationKind[], user: Person) {
  const unique = [...new Set(off)]
  await updateRows(tx, users, { id: user.id }, { mailOff: unique })
  return { off: unique }
}

/** The kind of email that an unsubscribe link is for, and whether it is already switched off. */
export async function readUnsubscribeLink(db: Db, token: string, sessionKeys: Keys) {
  const link = readUnsubscribeToken(token, sessionKeys)
  const off = link && (await queries.findSwitchedOffKinds(db, link.userId))
  if (!off) throw refuse('link_expired')
  return { kind: link.kind, off: off.includes(link.kind) }
}

export async function unsubscribe(tx: Tx, token: string, sessionKeys: Keys) {
  const link = readUnsubscribeToken(token, sessionKeys)
  const done = link && (await queries.switchKindOff(tx, link.userId, link.kind))
  if (!done) throw refuse('link_expired')
  return { ok: true as const }
}

/** The emails shown at /dev/mail. */
export async function devEmails(db: Db) {
  const stored = await findDevEmails(db)
  const emails = stored.map(({ id, kind, address, subject, text, html, createdAt }) => ({
    id,
    kind,
    address,
    subject: subject ?? '',
    text: text ?? '',
    html: html ?? '',
    createdAt,
  }))
  const texts = (await findDevTexts(db)).map(({ id, phone, text, createdAt }) => ({
    id: -id,
    kind: 'text_message',
    address: phone,
    subject: 'Text message',
    text,
    html: text,
    createdAt,
  }))
  return [...texts, ...emails].sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
}

export async function deleteNotificationsOf(tx: Tx, userId: string): Promise<void> {
  await queries.deleteSuppressionsOf(tx, userId)
  await deleteRows(tx, mails, { userId })
  await queries.deleteNotificationsTo(tx, userId)
}
