import * as z from 'zod/mini'
import { PublicUser } from './accounts.ts'
import { call } from './call.ts'
import { Done, Id, PathId, pageLimit, Timestamp } from './fields.ts'
import { NOTIFICATION_KINDS } from './notification-kinds.ts'

/** A line under the bell. The words are the server's, the same that the mail says. */
export const Notification = z.object({
  id: Id,
  kind: z.enum(NOTIFICATION_KINDS),
  title: z.string(),
  text: z.string(),
  /** The screen that it leads to. */
  path: z.string(),
  /** Who did it, if a person did. */
  actor: z.nullable(PublicUser),
  readAt: z.nullable(Timestamp),
  createdAt: Timestamp,
})
export type Notification = z.output<typeof Notification>

export const listNotifications = call({
  method: 'GET',
  path: '/api/notifications',
  access: 'user',
  summary: 'What the person signed in was told, the latest first',
  query: z.object({ limit: pageLimit(20, 100), cursor: z.optional(PathId) }),
  reply: z.array(Notification),
})

export const countUnreadNotifications = call({
  method: 'GET',
  path: '/api/notifications/unread',
  access: 'user',
  summary: 'How many of them are unread',
  reply: z.object({ unread: z.int() }),
})

export const markNotificationsRead = call({
  method: 'PATCH',
  path: '/api/notifications/mark-read',
  access: 'user',
  summary: 'Marks one of them as read, or all',
  body: z.object({ id: z.optional(Id) }),
  reply: Done,
})

/** Which kinds of mail a person wants. */
export const EmailSettings = z.object({ off: z.array(z.enum(NOTIFICATION_KINDS)) })
export type EmailSettings = z.output<typeof EmailSettings>

export const getEmailSettings = call({
  method: 'GET',
  path: '/api/user/mail-settings',
  access: 'user',
  summary: 'The kinds of mail that are switched off',
  reply: EmailSettings,
})

export const updateEmailSettings = call({
  method: 'PUT',
  path: '/api/user/mail-settings',
  access: 'user',
  summary: 'Switches kinds of mail off and on again',
  body: EmailSettings,
  reply: EmailSettings,
})

const onUnsubscribeLink = { query: z.object({ token: z.string().check(z.maxLength(500)) }) }

export const getUnsubscribe = call({
  ...onUnsubscribeLink,
  method: 'GET',
  path: '/api/mail/unsubscribe',
  access: 'public',
  summary: 'Which kind of mail an unsubscribe link is about; changes nothing',
  reply: z.object({ kind: z.enum(NOTIFICATION_KINDS), off: z.boolean() }),
  refuses: ['link_expired'],
})

/** Mail programs press it for their reader, without a cookie (RFC 8058). */
export const unsubscribe = call({
  ...onUnsubscribeLink,
  allowCrossSite: true,
  method: 'POST',
  path: '/api/mail/unsubscribe',
  access: 'public',
  summary: 'Switches that kind of mail off, in one step',
  reply: Done,
  refuses: ['link_expired'],
})

/** A mail that was not sent for want of a mail server. */
export const DevEmail = z.object({
  id: Id,
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
  summary: 'The latest mails that were kept instead of sent; in development only',
  reply: z.array(DevEmail),
  refuses: ['not_found'],
})
