import { NOTIFICATION_KINDS, type NotificationKind } from '@sought/contract/notification-kinds'
import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, unique, uniqueIndex } from 'drizzle-orm/pg-core'
import { sessions, users } from './accounts.ts'
import { cents, createdAt, id, moment, quoteAll } from './columns.ts'
import { payments } from './payments.ts'
import { wantedItems } from './requests.ts'
import { supportMessages } from './support.ts'

/**
 * Notifications, shown in the app and sent by email. They store references and no text, so that names and titles
 * are current. The key makes notifying idempotent.
 */
export const notifications = pgTable(
  'notifications',
  {
    id: id(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: text().$type<NotificationKind>().notNull(),
    key: text().notNull(),
    /** The user who caused the event, if any. */
    actorId: text().references(() => users.id, { onDelete: 'set null' }),
    wantedItemId: integer().references(() => wantedItems.id, { onDelete: 'cascade' }),
    paymentId: integer().references(() => payments.id, { onDelete: 'cascade' }),
    /** The reply of our team that it announces. */
    supportMessageId: integer().references(() => supportMessages.id, { onDelete: 'cascade' }),
    amount: cents(),
    readAt: moment(),
    createdAt: createdAt(),
  },
  (it) => [
    unique('notifications_once').on(it.userId, it.key),
    index('notifications_latest').on(it.userId, it.id),
    index('notifications_unread').on(it.userId).where(sql`${it.readAt} is null`),
    index('notifications_wanted_item').on(it.wantedItemId),
    index('notifications_payment').on(it.paymentId),
    index('notifications_support_message').on(it.supportMessageId),
    check('notifications_kind', sql`${it.kind} in (${quoteAll(NOTIFICATION_KINDS)})`),
  ],
)

const VISITOR_EMAIL_KINDS = ['ticket_received', 'ticket_answered']
const EMAIL_KINDS = [
  ...NOTIFICATION_KINDS,
  'verify_email',
  'reset_password',
  'email_changed',
  'password_changed',
  'second_factor_added',
  'second_factor_removed',
  'new_device',
  'payout_account_changed',
  'reconciliation_differences',
  ...VISITOR_EMAIL_KINDS,
]

/**
 * Emails to be sent. The text is composed when the email is sent. It is stored only without a mail server, to show
 * it to developers.
 */
export const mails = pgTable(
  'mails',
  {
    id: id(),
    /** Null for emails to visitors. */
    userId: text().references(() => users.id, { onDelete: 'cascade' }),
    address: text().notNull(),
    /** The kind of the notification, or of the email itself. */
    kind: text().notNull(),
    notificationId: integer().references(() => notifications.id, { onDelete: 'cascade' }),
    /** The visitor's question or our team's reply that the email is about. */
    supportMessageId: integer().references(() => supportMessages.id, { onDelete: 'cascade' }),
    /** Until then, the email is claimed by the worker that sends it. */
    heldUntil: moment(),
    /** When the mail server accepted the email, or when it was no longer wanted. */
    doneAt: moment(),
    subject: text(),
    text: text(),
    html: text(),
    createdAt: createdAt(),
  },
  (it) => [
    uniqueIndex('mails_notification_unique').on(it.notificationId),
    index('mails_user').on(it.userId, it.id),
    index('mails_created').on(it.createdAt),
    index('mails_support_message').on(it.supportMessageId),
    check('mails_kind', sql`${it.kind} in (${quoteAll(EMAIL_KINDS)})`),
    check(
      'mails_recipient',
      sql`case when ${it.kind} in (${quoteAll(VISITOR_EMAIL_KINDS)}) then ${it.userId} is null and ${it.supportMessageId} is not null else ${it.userId} is not null and ${it.supportMessageId} is null end`,
    ),
  ],
)

/** Addresses that do not exist according to their mail server (ADR 36). */
export const suppressedEmails = pgTable(
  'suppressed_emails',
  { address: text().primaryKey(), refusedAt: moment().notNull() },
  (it) => [
    index('suppressed_emails_refused').on(it.refusedAt),
    check('suppressed_emails_address', sql`${it.address} = lower(${it.address})`),
  ],
)

/** When a user last had a page open. */
export const presence = pgTable('presence', {
  userId: text()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  seenAt: moment().notNull(),
})

/** The VAPID keys by which push services recognise us. Generated once, for all processes (ADR 68). */
export const pushKeys = pgTable(
  'push_keys',
  {
    publicKey: text().primaryKey(),
    /** AES-256-GCM ciphertext under DATA_KEY. */
    privateKey: text().notNull(),
    createdAt: createdAt(),
  },
  () => [uniqueIndex('push_keys_one_row').on(sql`(true)`)],
)

/** The browsers that get push notifications. A subscription ends with its session. */
export const pushSubscriptions = pgTable(
  'push_subscriptions',
  {
    id: id(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    sid: text()
      .notNull()
      .references(() => sessions.sid, { onDelete: 'cascade' }),
    /** The address at the push service. Anyone who knows it and the keys can send to the browser. */
    endpoint: text().notNull(),
    p256dh: text().notNull(),
    auth: text().notNull(),
    createdAt: createdAt(),
  },
  (it) => [
    unique('push_subscriptions_session').on(it.sid),
    unique('push_subscriptions_endpoint').on(it.endpoint),
    index('push_subscriptions_user').on(it.userId, it.id),
  ],
)
