import * as z from 'zod/mini'
import { PublicUser } from './accounts.ts'
import { call } from './call.ts'
import { Id, PathId, Timestamp, text, UserId } from './fields.ts'
import { ItemSummary } from './requests.ts'

export const Message = z.object({
  id: Id,
  wantedItemId: Id,
  senderId: UserId,
  receiverId: UserId,
  content: z.string(),
  isRead: z.boolean(),
  readAt: z.nullable(Timestamp),
  createdAt: Timestamp,
  sender: PublicUser,
  receiver: PublicUser,
  wantedItem: ItemSummary,
})
export type Message = z.output<typeof Message>

export const listMessages = call({
  method: 'GET',
  path: '/api/messages',
  access: 'user',
  says: 'Messages sent and received, the latest 200, or those of one conversation',
  query: z.object({
    wantedItemId: z.optional(PathId),
    userId: z.optional(UserId),
    cursor: z.optional(z.string().check(z.maxLength(100))),
  }),
  reply: z.array(Message),
})

export const sendMessage = call({
  method: 'POST',
  path: '/api/messages',
  access: 'user',
  says: 'Sends a message about a request',
  body: z.object({ content: text(5000), wantedItemId: Id, receiverId: UserId }),
  reply: Message,
  status: 201,
  refuses: ['item_not_found', 'conversation_not_allowed'],
})

export const markMessagesRead = call({
  method: 'PATCH',
  path: '/api/messages/mark-read',
  access: 'user',
  says: 'Marks what was received in a conversation as read',
  body: z.object({ wantedItemId: Id, senderId: z.optional(UserId) }),
  reply: z.object({ read: z.int() }),
})

export const listConversations = call({
  method: 'GET',
  path: '/api/conversations',
  access: 'user',
  says: 'One line for each request and other person, the latest first',
  reply: z.array(
    z.object({ wantedItem: ItemSummary, user: PublicUser, lastMessage: Message, unreadCount: z.int() }),
  ),
})
