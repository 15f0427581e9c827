import { listConversations, listMessages, markMessagesRead, sendMessage } from '@sought/contract/messages'
import { nextPage } from '../../platform/next-page.ts'
import { on, type Route } from '../../platform/route.ts'
import type { Services } from '../../platform/services.ts'
import { conversationsOf, messagesOf, read, send } from './actions.ts'

export function messageRoutes({ database }: Services): Route[] {
  const { transact } = database
  return [
    on(listMessages)(async ({ query, user, reply }) => {
      const { cursor, ...filter } = query
      const messages = await messagesOf(database.read, user, { ...filter, before: cursor })
      nextPage(reply, listMessages, query, messages)
      return messages
    }),

    on(sendMessage)(({ body, user }) => transact((tx) => send(tx, body, user))),

    on(markMessagesRead)(({ body, user }) => transact((tx) => read(tx, body, user))),

    on(listConversations)(({ user }) => conversationsOf(database.read, user)),
  ]
}
