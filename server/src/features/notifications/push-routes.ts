import * as calls from '@sought/contract/push'
import type { FastifyRequest } from 'fastify'
import { on, type Route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { changePushSettings, pushSettingsOf, subscribeToPush, unsubscribeFromPush } from './push-actions.ts'

export function pushRoutes({ database, sessions, push }: Services): Route[] {
  const { transact } = database
  const sidOf = (request: FastifyRequest) => {
    const sid = sessions.sidOf(request)
    if (sid === null) throw new Error('a signed-in user has no session')
    return sid
  }
  return [
    on(calls.getPushKey)(async () => ({ publicKey: await push.publicKey() })),

    on(calls.addPushSubscription)(({ body, user, request }) =>
      transact((tx) => subscribeToPush(tx, body, user, sidOf(request), push)),
    ),

    on(calls.removePushSubscription)(({ request }) =>
      transact((tx) => unsubscribeFromPush(tx, sidOf(request))),
    ),

    on(calls.getPushSettings)(({ user, request }) => pushSettingsOf(database.read, user, sidOf(request))),

    on(calls.updatePushSettings)(({ body, user, request }) =>
      transact((tx) => changePushSettings(tx, body.off, user, sidOf(request))),
    ),
  ]
}
