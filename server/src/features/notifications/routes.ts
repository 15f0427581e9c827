import {
  countUnreadNotifications,
  getEmailDelivery,
  getEmailSettings,
  getUnsubscribe,
  listDevEmails,
  listNotifications,
  markNotificationsRead as markNotificationsReadCall,
  unsubscribe as unsubscribeCall,
  updateEmailSettings,
} from '@sought/contract/notifications'
import { refuse } from '../../core/errors.ts'
import { addNextPageLink } from '../../http/next-page-link.ts'
import { on, type Route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import {
  changeEmailSettings,
  countUnreadOf,
  devEmails,
  emailSettingsOf,
  markNotificationsRead,
  notificationsOf,
  readUnsubscribeLink,
  unsubscribe,
} from './actions.ts'
import { undeliverableOf } from './suppression.ts'

export function notificationRoutes({ database, config, secrets, notifications }: Services): Route[] {
  const { transact } = database
  const { sessionSecret } = secrets
  return [
    on(listNotifications)(async ({ query, user, reply }) => {
      const { limit, cursor } = query
      const page = await notificationsOf(database.read, user, { limit, before: cursor }, notifications)
      addNextPageLink(reply, listNotifications, query, page)
      return page
    }),

    on(countUnreadNotifications)(({ user }) => countUnreadOf(database.read, user)),

    on(markNotificationsReadCall)(({ body, user }) =>
      transact((tx) => markNotificationsRead(tx, body, user)),
    ),

    on(getEmailSettings)(({ user }) => emailSettingsOf(database.read, user)),

    on(updateEmailSettings)(({ body, user }) => transact((tx) => changeEmailSettings(tx, body.off, user))),

    on(getEmailDelivery)(({ user }) => undeliverableOf(database.read, user)),

    on(getUnsubscribe)(({ query }) => readUnsubscribeLink(database.read, query.token, sessionSecret)),

    on(unsubscribeCall)(({ query }) => transact((tx) => unsubscribe(tx, query.token, sessionSecret))),

    on(listDevEmails)(() => {
      if (config.production) throw refuse('not_found')
      return devEmails(database.read)
    }),
  ]
}
