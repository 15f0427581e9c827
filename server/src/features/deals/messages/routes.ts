import * as calls from '@sought/contract/messages'
import { countAttempt } from '../../../http/limits.ts'
import { onPages } from '../../../http/next-page-link.ts'
import { on, type Route } from '../../../http/route.ts'
import type { Services } from '../../../services.ts'
import { conversationsOf, countFirstContact, markMessagesRead, messagesOf, sendMessage } from './actions.ts'
import { announceTyping, changeSharing, presenceOf, sharingSettingsOf } from './sharing.ts'

export function messageRoutes(services: Services): Route[] {
  const { database, limits, clock, config } = services
  const { transact } = database
  return [
    onPages(calls.listMessages)(({ query: { cursor, ...filter }, user }) =>
      messagesOf(database.read, user, { ...filter, before: cursor }),
    ),

    on(calls.sendMessage)(async ({ body, user, request }) => {
      await countAttempt(limits, 'messages', user, request)
      await countFirstContact(services, body.wantedItemId, user, request)
      return transact((tx) => sendMessage(tx, body, user, config.publicUrl))
    }),

    on(calls.markMessagesRead)(({ body, user }) => transact((tx) => markMessagesRead(tx, body, user))),

    onPages(calls.listConversations)(
      ({ query, user }) => conversationsOf(database.read, user, query),
      ({ activeAt, wantedItem, user: other }) => `${activeAt.getTime()}~${wantedItem.id}~${other.id}`,
    ),

    on(calls.announceTyping)(async ({ body, user, request }) => {
      await countAttempt(limits, 'typing', user, request)
      return transact((tx) => announceTyping(tx, body, user))
    }),

    on(calls.getPresence)(({ query, user }) => presenceOf(database.read, query.userId, user, clock())),

    on(calls.getSharingSettings)(({ user }) => sharingSettingsOf(database.read, user)),

    on(calls.updateSharingSettings)(({ body, user }) => transact((tx) => changeSharing(tx, body, user))),
  ]
}
