import type { NotificationKind } from '@sought/contract/notification-kinds'
import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { amount, createdAt, id, moment } from './columns.ts'

/**
 * Notifications, shown in the app and sent by email. They store references and no text, so that names and titles
 * are current. The key makes notifying idempotent.
 */
export const notifications = pgTable('notifications', {
  id: id(),
  userId: text().notNull(),
  kind: text().$type<NotificationKind>().notNull(),
  key: text().notNull(),
  /** The user who caused the event, if any. */
  actorId: text(),
  wantedItemId: integer(),
  paymentId: integer(),
  /** The reply of our team that it announces. */
  supportMessageId: integer(),
  amount: amount(),
  readAt: moment(),
  createdAt: createdAt(),
})

/**
 * Emails to be sent. The text is composed when the email is sent. It is stored only without a mail server, to show
 * it to developers.
 */
export const mails = pgTable('mails', {
  id: id(),
  /** Null for emails to visitors. */
  userId: text(),
  address: text().notNull(),
  /** The kind of the notification, or of the email itself. */
  kind: text().notNull(),
  notificationId: integer(),
  /** The visitor's question or our team's reply that the email is about. */
  supportMessageId: integer(),
  /** Until then, the email is claimed by the worker that sends it. */
  heldUntil: moment(),
  /** When the mail server accepted the email, or when it was no longer wanted. */
  doneAt: moment(),
  subject: text(),
  text: text(),
  html: text(),
  createdAt: createdAt(),
})

/** Addresses that do not exist according to their mail server (ADR 36). */
export const suppressedEmails = pgTable('suppressed_emails', {
  address: text().primaryKey(),
  refusedAt: moment().notNull(),
})

/** Bounces and complaints that mail services reported, each handled once (ADR 110). */
export const mailEvents = pgTable('mail_events', {
  id: text().primaryKey(),
  receivedAt: createdAt(),
})

/** When a user last had a page open. */
export const presence = pgTable('presence', {
  userId: text().primaryKey(),
  seenAt: moment().notNull(),
})

/** The VAPID keys by which push services recognise us. Generated once, for all processes (ADR 68). */
export const pushKeys = pgTable('push_keys', {
  publicKey: text().primaryKey(),
  /** AES-256-GCM ciphertext under DATA_KEY. */
  privateKey: text().notNull(),
  createdAt: createdAt(),
})

/** The browsers that get push notifications. A subscription ends with its session. */
export const pushSubscriptions = pgTable('push_subscriptions', {
  id: id(),
  userId: text().notNull(),
  sid: text().notNull(),
  /** The address at the push service. Anyone who knows it and the keys can send to the browser. */
  endpoint: text().notNull(),
  p256dh: text().notNull(),
  auth: text().notNull(),
  createdAt: createdAt(),
})
