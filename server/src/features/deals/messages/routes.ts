import * as calls from '@sought/contract/messages'
import { countAttempt } from '../../../http/limits.ts'
import { addNextPageLink } from '../../../http/next-page-link.ts'
import { on, type Route } from '../../../http/route.ts'
import type { Services } from '../../../services.ts'
import { conversationsOf, countFirstContact, markMessagesRead, messagesOf, sendMessage } from './actions.ts'
import { announceTyping, changeSharing, presenceOf, sharingSettingsOf } from './sharing.ts'

export function messageRoutes(services: Services): Route[] {
  const { database, limits, clock, config } = services
  const { transact } = database
  return [
    on(calls.listMessages)(async ({ query, user, reply }) => {
      const { cursor, ...filter } = query
      const messages = await messagesOf(database.read, user, { ...filter, before: cursor })
      addNextPageLink(reply, calls.listMessages, query, messages)
      return messages
    }),

    on(calls.sendMessage)(async ({ body, user, request }) => {
      await countAttempt(limits, 'messages', user, request)
      await countFirstContact(services, body.wantedItemId, user, request)
      return transact((tx) => sendMessage(tx, body, user, config.publicUrl))
    }),

    on(calls.markMessagesRead)(({ body, user }) => transact((tx) => markMessagesRead(tx, body, user))),

    on(calls.listConversations)(async ({ query, user, reply }) => {
      const found = await conversationsOf(database.read, user, query)
      const cursors = found.map(({ activeAt, wantedItem, user: other }) => ({
        id: `${activeAt.getTime()}~${wantedItem.id}~${other.id}`,
      }))
      addNextPageLink(reply, calls.listConversations, query, cursors)
      return found
    }),

    on(calls.announceTyping)(async ({ body, user, request }) => {
      await countAttempt(limits, 'typing', user, request)
      return transact((tx) => announceTyping(tx, body, user))
    }),

    on(calls.getPresence)(({ query, user }) => presenceOf(database.read, query.userId, user, clock())),

    on(calls.getSharingSettings)(({ user }) => sharingSettingsOf(database.read, user)),

    on(calls.updateSharingSettings)(({ body, user }) => transact((tx) => changeSharing(tx, body, user))),
  ]
}
