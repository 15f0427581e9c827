import { getCarrierName, getTrackingUrl } from '@sought/contract/carriers'
import { formatCents } from '@sought/contract/money'
import type { NotificationKind } from '@sought/contract/notification-kinds'
import type { Currency } from '@sought/contract/platform'
import { refuse } from '../../core/errors.ts'
import type { Db, Tx } from '../../database/database.ts'
import { announce } from '../../http/events.ts'
import type { User } from '../../http/session.ts'
import { asPublicUser } from '../users/public-user.ts'
import { reviewUntil } from '../users/review-window.ts'
import { eventOf, messageNotification, type NewNotification } from './build-notifications.ts'
import { findDevEmails, findDevTexts } from './email-queries.ts'
import { HIDDEN_TITLE } from './hidden-request.ts'
import { type NotificationText, notificationText } from './notification-texts.ts'
import {
  countUnread,
  deleteEmailsTo,
  deleteNotificationsTo,
  deleteSuppressionsOf,
  findFirstUnreadMessage,
  findNotifications,
  findSwitchedOffKinds,
  insertNotifications,
  markRead,
  type ReadFilter,
  type StoredNotification,
  setSwitchedOffKinds,
  switchKindOff,
} from './queries.ts'
import { readUnsubscribeToken } from './unsubscribe-token.ts'

type Person = Pick<User, 'id'>

/** Notifies people in the app and by email once the transaction commits. */
export async function notify(tx: Tx, notifications: NewNotification[]): Promise<void> {
  if (notifications.length > 0) await insertNotifications(tx, notifications)
}

export async function notifyOfMessage(
  tx: Tx,
  message: { wantedItemId: number; senderId: string; receiverId: string },
): Promise<void> {
  const firstUnread = await findFirstUnreadMessage(tx, message)
  if (firstUnread) await notify(tx, [messageNotification(message, firstUnread, tx.now)])
}

/** Texts are composed when they are read, from the current names and titles. A payment has its own currency. */
export function describeNotification(stored: StoredNotification, currency: Currency): NotificationText {
  const { notification, actor, item, payment, search, ticket, decision } = stored
  const event = eventOf(notification.key)
  const isItemHidden = item?.hiddenAt && !payment && event !== 'decision'
  const buyerId = payment?.buyerId ?? item?.userId
  return notificationText({
    event,
    userId: notification.userId,
    role: notification.userId === buyerId ? 'buyer' : 'seller',
    actorId: notification.actorId,
    actorName: actor ? asPublicUser(actor).name : '',
    itemId: item?.id ?? 0,
    itemTitle: isItemHidden ? HIDDEN_TITLE : (item?.title ?? ''),
    paymentId: notification.paymentId ?? 0,
    transactionNumber: payment?.transactionNumber ?? null,
    searchName: search?.name ?? '',
    ticketId: ticket?.id ?? 0,
    ticketSubject: ticket?.subject ?? '',
    decision,
    ...parcelOf(payment),
    reviewsShownOn: reviewsShownOn(payment),
    policyFrom: policyFrom(notification.key),
    amountCents: notification.amount ?? 0,
    amount: formatCents(notification.amount ?? 0, payment?.currency ?? currency),
  })
}

function parcelOf(payment: StoredNotification['payment']) {
  const { carrier, trackingNumber } = payment ?? {}
  if (!carrier) return { carrierName: '', trackingUrl: '' }
  return {
    carrierName: carrier === 'other' ? '' : getCarrierName(carrier),
    trackingUrl: getTrackingUrl(carrier, trackingNumber ?? null) ?? '',
  }
}

const dates = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })

function reviewsShownOn(payment: StoredNotification['payment']): string {
  const until = payment && reviewUntil(payment)
  return until ? dates.format(until) : ''
}

function policyFrom(key: string): string {
  const [, day] = /^(?:terms|privacy)_scheduled:\d+:(.+)$/.exec(key) ?? []
  return day ? dates.format(new Date(day)) : ''
}

export async function notificationsOf(
  db: Db,
  user: Person,
  page: { limit: number; before?: number | undefined },
  currency: Currency,
) {
  const found = await findNotifications(db, user.id, page)
  return found.map((stored) => {
    const { id, kind, readAt, createdAt } = stored.notification
    const { title, text, path } = describeNotification(stored, currency)
    const actor = stored.actor && asPublicUser(stored.actor)
    return { id, kind, title, text, path, actor, readAt, createdAt }
  })
}

export async function countUnreadOf(db: Db, user: Person) {
  return { unread: await countUnread(db, user.id) }
}

/** Also updates the other open pages of the same user. */
export async function markNotificationsRead(tx: Tx, filter: ReadFilter, user: Person) {
  const changed = await markRead(tx, user.id, filter)
  if (changed) await announce(tx, [user.id], { about: 'notifications' })
  return { ok: true as const }
}

export async function emailSettingsOf(db: Db, user: Person) {
  return { off: (await findSwitchedOffKinds(db, user.id)) as NotificationKind[] }
}

export async function changeEmailSettings(tx: Tx, off: NotificationKind[], user: Person) {
  const unique = [...new Set(off)]
  await setSwitchedOffKinds(tx, user.id, unique)
  return { off: unique }
}

/** The kind of email that an unsubscribe link is for, and whether it is already switched off. */
export async function readUnsubscribeLink(db: Db, token: string, sessionSecret: string) {
  const link = readUnsubscribeToken(token, sessionSecret)
  const off = link && (await findSwitchedOffKinds(db, link.userId))
  if (!off) throw refuse('link_expired')
  return { kind: link.kind, off: off.includes(link.kind) }
}

export async function unsubscribe(tx: Tx, token: string, sessionSecret: string) {
  const link = readUnsubscribeToken(token, sessionSecret)
  const done = link && (await switchKindOff(tx, link.userId, link.kind))
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
  await deleteSuppressionsOf(tx, userId)
  await deleteEmailsTo(tx, userId)
  await deleteNotificationsTo(tx, userId)
}
