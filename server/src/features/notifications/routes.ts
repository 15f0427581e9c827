import {
  countUnreadNotifications,
  getEmailSettings,
  getUnsubscribe,
  listDevEmails,
  listNotifications,
  markNotificationsRead,
  unsubscribe as unsubscribeCall,
  updateEmailSettings,
} from '@sought/contract/notifications'
import { refuse } from '../../platform/errors.ts'
import { nextPage } from '../../platform/next-page.ts'
import { on, type Route } from '../../platform/route.ts'
import type { Services } from '../../platform/services.ts'
import {
  changeMailSettings,
  lookUp,
  mailSettingsOf,
  notificationsOf,
  read,
  unreadOf,
  unsubscribe,
} from './actions.ts'
import { keptMails } from './kept-mails.ts'

export function notificationRoutes({ database, config, secrets }: Services): Route[] {
  const { transact } = database
  const { sessionSecret } = secrets
  return [
    on(listNotifications)(async ({ query, user, reply }) => {
      const { limit, cursor } = query
      const page = await notificationsOf(database.read, user, { limit, before: cursor }, config.currency)
      nextPage(reply, listNotifications, query, page)
      return page
    }),

    on(countUnreadNotifications)(({ user }) => unreadOf(database.read, user)),

    on(markNotificationsRead)(({ body, user }) => transact((tx) => read(tx, body, user))),

    on(getEmailSettings)(({ user }) => mailSettingsOf(database.read, user)),

    on(updateEmailSettings)(({ body, user }) => transact((tx) => changeMailSettings(tx, body.off, user))),

    on(getUnsubscribe)(({ query }) => lookUp(database.read, query.token, sessionSecret)),

    on(unsubscribeCall)(({ query }) => transact((tx) => unsubscribe(tx, query.token, sessionSecret))),

    on(listDevEmails)(() => {
      if (config.production) throw refuse('not_found')
      return keptMails(database.read)
    }),
  ]
}
