import * as z from 'zod/mini'
import { PublicUser } from './accounts.ts'
import { call } from './call.ts'
import { MESSAGE_MAX_LENGTH } from './constants.ts'
import { Id, PathId, pageLimit, Timestamp, text, UserId } from './fields.ts'
import { ItemSummary } from './requests.ts'

/** Idempotency key that the browser creates for each message. */
const ClientId = z.string().check(z.regex(/^[\w-]{8,64}$/))

export const Message = z.object({
  id: Id,
  wantedItemId: Id,
  senderId: UserId,
  receiverId: UserId,
  content: z.string(),
  isRead: z.boolean(),
  readAt: z.nullable(Timestamp),
  /** The sender's idempotency key. */
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
  summary: 'Lists sent and received messages, newest first, of all conversations or of one',
  query: z.object({
    wantedItemId: z.optional(PathId),
    /** Only messages with this user. */
    userId: z.optional(UserId),
    limit: pageLimit(200, 200),
    /** The id of the last message on the previous page. */
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
  refuses: [
    'item_not_found',
    'item_not_open',
    'item_reserved',
    'conversation_not_allowed',
    'message_mark_used',
    'too_many',
  ],
})

export const markMessagesRead = call({
  method: 'PATCH',
  path: '/api/messages/mark-read',
  access: 'user',
  summary: 'Marks the received messages of a conversation as read',
  body: z.object({ wantedItemId: Id, senderId: z.optional(UserId) }),
  reply: z.object({ read: z.int() }),
})

export const Conversation = z.object({
  wantedItem: ItemSummary,
  user: PublicUser,
  /** Null if the conversation has offers but no messages. */
  lastMessage: z.nullable(z.object({ content: z.string(), senderId: UserId, createdAt: Timestamp })),
  /** The time of the last message or offer. */
  activeAt: Timestamp,
  unreadCount: z.int(),
})
export type Conversation = z.output<typeof Conversation>

/** The end of a page: the time of the last conversation in milliseconds, its request and its other user. */
const ConversationCursor = z
  .string()
  .check(z.regex(/^\d{1,15}~\d{1,10}~[\w-]{1,100}$/, 'Must be the cursor of a page'))

export const listConversations = call({
  method: 'GET',
  path: '/api/conversations',
  access: 'user',
  summary: 'Lists conversations, one for each request and user, most recent first',
  query: z.object({ limit: pageLimit(200, 200), cursor: z.optional(ConversationCursor) }),
  uncompressed: true,
  reply: z.array(Conversation),
})
