import * as calls from '@sought/contract/notifications'
import * as pushCalls from '@sought/contract/push'
import type { FastifyRequest } from 'fastify'
import { refuse } from '../../core/errors.ts'
import { onPages } from '../../http/next-page-link.ts'
import { on, type Route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import * as actions from './actions.ts'
import { changePushSettings, pushSettingsOf, subscribeToPush, unsubscribeFromPush } from './push-actions.ts'
import { undeliverableOf } from './suppression.ts'

export function notificationRoutes({ database, config, secrets, notifications }: Services): Route[] {
  const { transact } = database
  const { sessionKeys } = secrets
  return [
    onPages(calls.listNotifications)(({ query: { limit, cursor }, user }) =>
      actions.notificationsOf(database.read, user, { limit, before: cursor }, notifications),
    ),

    on(calls.countUnreadNotifications)(({ user }) =>
      actions.countUnreadOf(database.read, user, notifications),
    ),

    on(calls.markNotificationsRead)(({ body, user }) =>
      transact((tx) => actions.markNotificationsRead(tx, body, user)),
    ),

    on(calls.getEmailSettings)(({ user }) => actions.emailSettingsOf(database.read, user)),

    on(calls.updateEmailSettings)(({ body, user }) =>
      transact((tx) => actions.changeEmailSettings(tx, body.off, user)),
    ),

    on(calls.getEmailDelivery)(({ user }) => undeliverableOf(database.read, user)),

    on(calls.getUnsubscribe)(({ query }) =>
      actions.readUnsubscribeLink(database.read, query.token, sessionKeys),
    ),

    on(calls.unsubscribe)(({ query }) => transact((tx) => actions.unsubscribe(tx, query.token, sessionKeys))),

    on(calls.listDevEmails)(() => {
      if (config.production) throw refuse('not_found')
      return actions.devEmails(database.read)
    }),
  ]
}

export function pushRoutes({ database, sessions, push }: Services): Route[] {
  const { transact } = database
  const sidOf = (request: FastifyRequest) => {
    const sid = sessions.sidOf(request)
    if (sid === null) throw new Error('a signed-in user has no session')
    return sid
  }
  return [
    on(pushCalls.getPushKey)(async () => ({ publicKey: await push.publicKey() })),

    on(pushCalls.addPushSubscription)(({ body, user, request }) =>
      transact((tx) => subscribeToPush(tx, body, user, sidOf(request), push)),
    ),

    on(pushCalls.removePushSubscription)(({ request }) =>
      transact((tx) => unsubscribeFromPush(tx, sidOf(request))),
    ),

    on(pushCalls.getPushSettings)(({ user, request }) => pushSettingsOf(database.read, user, sidOf(request))),

    on(pushCalls.updatePushSettings)(({ body, user, request }) =>
      transact((tx) => changePushSettings(tx, body.off, user, sidOf(request))),
    ),
  ]
}
