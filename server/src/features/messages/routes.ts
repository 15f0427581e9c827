import {
  listConversations,
  listMessages,
  markMessagesRead as markMessagesReadCall,
  sendMessage as sendMessageCall,
} from '@sought/contract/messages'
import { addNextPageLink } from '../../platform/next-page-link.ts'
import { on, type Route } from '../../platform/route.ts'
import type { Services } from '../../platform/services.ts'
import { conversationsOf, markMessagesRead, messagesOf, sendMessage } from './actions.ts'

export function messageRoutes({ database }: Services): Route[] {
  const { transact } = database
  return [
    on(listMessages)(async ({ query, user, reply }) => {
      const { cursor, ...filter } = query
      const messages = await messagesOf(database.read, user, { ...filter, before: cursor })
      addNextPageLink(reply, listMessages, query, messages)
      return messages
    }),

    on(sendMessageCall)(({ body, user }) => transact((tx) => sendMessage(tx, body, user))),

    on(markMessagesReadCall)(({ body, user }) => transact((tx) => markMessagesRead(tx, body, user))),

    on(listConversations)(({ user }) => conversationsOf(database.read, user)),
  ]
}
