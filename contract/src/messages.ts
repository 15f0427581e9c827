import * as z from 'zod/mini'
import { PublicUser } from './accounts.ts'
import { call } from './call.ts'
import { MESSAGE_MAX_LENGTH } from './constants.ts'
import { Id, PathId, pageLimit, Timestamp, text, UserId } from './fields.ts'
import { ItemSummary } from './requests.ts'

/** Made by the browser for each message; sending again under the same one sends nothing. */
const ClientId = z.string().check(z.regex(/^[\w-]{8,64}$/))

export const Message = z.object({
  id: Id,
  wantedItemId: Id,
  senderId: UserId,
  receiverId: UserId,
  content: z.string(),
  isRead: z.boolean(),
  readAt: z.nullable(Timestamp),
  /** The sender's own mark, by which a message that was sent twice is known to be one. */
  clientId: z.nullable(z.string()),
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
  summary: 'Messages sent and received, the latest first, or those of one conversation',
  query: z.object({
    wantedItemId: z.optional(PathId),
    /** The other person. */
    userId: z.optional(UserId),
    limit: pageLimit(200, 200),
    /** The id of the last message of the page before. */
    cursor: z.optional(PathId),
  }),
  reply: z.array(Message),
})

export const sendMessage = call({
  method: 'POST',
  path: '/api/messages',
  access: 'user',
  summary: 'Sends a message about a request',
  body: z.object({
    content: text(MESSAGE_MAX_LENGTH),
    wantedItemId: Id,
    receiverId: UserId,
    clientId: z.optional(ClientId),
  }),
  reply: Message,
  status: 201,
  refuses: ['item_not_found', 'item_not_open', 'conversation_not_allowed', 'message_mark_used'],
})

export const markMessagesRead = call({
  method: 'PATCH',
  path: '/api/messages/mark-read',
  access: 'user',
  summary: 'Marks what was received in a conversation as read',
  body: z.object({ wantedItemId: Id, senderId: z.optional(UserId) }),
  reply: z.object({ read: z.int() }),
})

export const Conversation = z.object({
  wantedItem: ItemSummary,
  user: PublicUser,
  /** Null while only offers have passed between the two. */
  lastMessage: z.nullable(z.object({ content: z.string(), senderId: UserId, createdAt: Timestamp })),
  /** When something last happened in it. */
  activeAt: Timestamp,
  unreadCount: z.int(),
})
export type Conversation = z.output<typeof Conversation>

export const listConversations = call({
  method: 'GET',
  path: '/api/conversations',
  access: 'user',
  summary: 'One line for each request and other person, the latest first',
  reply: z.array(Conversation),
})
