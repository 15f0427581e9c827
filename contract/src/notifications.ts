import * as z from 'zod/mini'
import { PublicUser } from './accounts.ts'
import { callsOf } from './call.ts'
import { Done, Id, PathId, pageLimit, Timestamp } from './fields.ts'
import { NOTIFICATION_KINDS } from './notification-kinds.ts'

const call = callsOf({ subjects: ['notifications'] })

/** Title and text come from the server and are the same as in the email. */
export const Notification = z.object({
  id: Id,
  kind: z.enum(NOTIFICATION_KINDS),
  title: z.string(),
  text: z.string(),
  /** The screen that it links to. */
  path: z.string(),
  /** The user who caused it, or null. */
  actor: z.nullable(PublicUser),
  readAt: z.nullable(Timestamp),
  createdAt: Timestamp,
})
export type Notification = z.output<typeof Notification>

export const listNotifications = call({
  method: 'GET',
  path: '/api/notifications',
  access: 'user',
  fresh: 'on open',
  summary: 'Lists notifications, newest first',
  query: z.object({ limit: pageLimit(20, 100), cursor: z.optional(PathId) }),
  uncompressed: true,
  reply: z.array(Notification),
})

export const countUnreadNotifications = call({
  method: 'GET',
  path: '/api/notifications/unread',
  access: 'user',
  summary: 'Counts unread notifications',
  reply: z.object({ unread: z.int() }),
})

export const markNotificationsRead = call({
  method: 'PATCH',
  path: '/api/notifications/mark-read',
  access: 'user',
  allowedIfSuspended: true,
  summary: 'Marks one notification as read, or all',
  body: z.object({ id: z.optional(Id) }),
  reply: Done,
})

/** The kinds of email that are switched off. */
export const EmailSettings = z.object({ off: z.array(z.enum(NOTIFICATION_KINDS)) })
export type EmailSettings = z.output<typeof EmailSettings>

export const getEmailSettings = call({
  method: 'GET',
  path: '/api/user/mail-settings',
  access: 'user',
  about: ['settings'],
  fresh: 'on open',
  summary: 'Gets the kinds of email that are switched off',
  reply: EmailSettings,
})

export const updateEmailSettings = call({
  method: 'PUT',
  path: '/api/user/mail-settings',
  access: 'user',
  changes: ['settings'],
  summary: 'Sets the kinds of email that are switched off',
  body: EmailSettings,
  reply: EmailSettings,
})

export const getEmailDelivery = call({
  method: 'GET',
  path: '/api/user/email-delivery',
  access: 'user',
  about: ['account'],
  fresh: 'on open',
  summary: 'Gets which of the user’s addresses reject our emails; such an address gets no more',
  reply: z.object({ undeliverable: z.array(z.string()) }),
})

const onUnsubscribeLink = { query: z.object({ token: z.string().check(z.maxLength(500)) }) }

export const getUnsubscribe = call({
  ...onUnsubscribeLink,
  method: 'GET',
  path: '/api/mail/unsubscribe',
  access: 'public',
  about: [],
  summary: 'Gets the kind of email that an unsubscribe link is for, without unsubscribing',
  reply: z.object({ kind: z.enum(NOTIFICATION_KINDS), off: z.boolean() }),
  refuses: ['link_expired'],
})

/** Email programs call this without a cookie (one-click unsubscribe, RFC 8058). */
export const unsubscribe = call({
  ...onUnsubscribeLink,
  allowCrossSite: true,
  method: 'POST',
  path: '/api/mail/unsubscribe',
  access: 'public',
  changes: ['settings'],
  summary: 'Switches off that kind of email',
  reply: Done,
  refuses: ['link_expired'],
})

/** An email that was stored instead of sent because no mail server is configured. */
export const DevEmail = z.object({
  /** The list also contains text messages. Their ids are negative, so that they differ from those of emails. */
  id: z.int(),
  kind: z.string(),
  address: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  createdAt: Timestamp,
})

export const listDevEmails = call({
  method: 'GET',
  path: '/api/dev/mails',
  access: 'public',
  fresh: 'on open',
  summary: 'Lists the latest emails and text messages that were stored instead of sent, in development only',
  reply: z.array(DevEmail),
  refuses: ['not_found'],
})
