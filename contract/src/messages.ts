import * as z from 'zod/mini'
import { PublicUser } from './accounts.ts'
import { callsOf } from './call.ts'
import { MESSAGE_MAX_LENGTH, MESSAGES_STALE_MS } from './constants.ts'
import {
  ClientId,
  Done,
  Id,
  isVisible,
  optionalText,
  PathId,
  pageLimit,
  Timestamp,
  UserId,
} from './fields.ts'
import { Photo, PhotoIds } from './photos.ts'
import { ItemSummary } from './requests.ts'

const call = callsOf({ subjects: ['messages'] })

export const Message = z.object({
  id: Id,
  wantedItemId: Id,
  senderId: UserId,
  receiverId: UserId,
  /** Empty if the message has only photos, or if it is hidden. */
  content: z.string(),
  photos: z.array(Photo),
  /** Whether moderators have removed its text and photos. */
  isHidden: z.boolean(),
  /** A warning for the receiver that the message may be a scam. */
  warning: z.nullable(z.string()),
  /** Only the sender can see these, and only if both people share read receipts. Otherwise false and null. */
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
  fresh: MESSAGES_STALE_MS,
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
  body: z
    .object({
      content: z._default(optionalText(MESSAGE_MAX_LENGTH), ''),
      wantedItemId: Id,
      receiverId: UserId,
      clientId: z.optional(ClientId),
      photoIds: PhotoIds,
    })
    .check(
      z.refine(({ content, photoIds }) => isVisible(content) || (content === '' && photoIds.length > 0), {
        error: 'Required',
        path: ['content'],
      }),
    ),
  reply: Message,
  status: 201,
  refuses: [
    'item_not_found',
    'item_not_open',
    'item_expired',
    'item_reserved',
    'conversation_not_allowed',
    'blocked',
    'restricted',
    'message_mark_used',
    'photo_not_available',
    'too_many',
  ],
})

export const markMessagesRead = call({
  method: 'PATCH',
  path: '/api/messages/mark-read',
  access: 'user',
  allowedIfSuspended: true,
  summary: 'Marks the received messages of a conversation as read',
  body: z.object({ wantedItemId: Id, senderId: z.optional(UserId) }),
  reply: z.object({ read: z.int() }),
})

export const Conversation = z.object({
  wantedItem: ItemSummary,
  user: PublicUser,
  /** Null if the conversation has offers but no messages. */
  lastMessage: z.nullable(
    z.object({
      content: z.string(),
      photoCount: z.int(),
      isHidden: z.boolean(),
      senderId: UserId,
      createdAt: Timestamp,
    }),
  ),
  /** The time of the last message or offer. */
  activeAt: Timestamp,
  unreadCount: z.int(),
})
export type Conversation = z.output<typeof Conversation>

/** The end of a page: the last conversation's time in milliseconds, its request and its other user. */
const ConversationCursor = z
  .string()
  .check(z.regex(/^\d{1,15}~\d{1,10}~[\w-]{1,100}$/, 'Must be the cursor of a page'))

export const listConversations = call({
  method: 'GET',
  path: '/api/conversations',
  access: 'user',
  about: ['messages', 'offers'],
  fresh: MESSAGES_STALE_MS,
  summary: 'Lists conversations, one for each request and user, most recent first',
  query: z.object({ limit: pageLimit(200, 200), cursor: z.optional(ConversationCursor) }),
  uncompressed: true,
  reply: z.array(Conversation),
})

export const announceTyping = call({
  method: 'POST',
  path: '/api/conversations/typing',
  access: 'user',
  changes: [],
  summary:
    'Shows the other person of a conversation for a few seconds that the user is typing, if both share it; nothing is stored',
  body: z.object({ wantedItemId: Id, receiverId: UserId }),
  reply: Done,
  refuses: ['too_many'],
})

export const getPresence = call({
  method: 'GET',
  path: '/api/conversations/presence',
  access: 'user',
  about: [],
  fresh: 'on open',
  summary:
    'Gets whether a person is online, or when they last were, if the two have a conversation and both share it',
  query: z.object({ userId: UserId }),
  reply: z.object({
    online: z.boolean(),
    /** To the minute. Null if it is not known or not shared. */
    lastSeenAt: z.nullable(Timestamp),
  }),
})

/**
 * What the user shares with people they have conversations with. Users who do not share something cannot see it about
 * others.
 */
export const SharingSettings = z.object({
  typing: z.boolean(),
  presence: z.boolean(),
  readReceipts: z.boolean(),
})
export type SharingSettings = z.output<typeof SharingSettings>

export const getSharingSettings = call({
  method: 'GET',
  path: '/api/user/sharing-settings',
  access: 'user',
  about: ['settings'],
  fresh: 'on open',
  summary: 'Gets what the user shares in conversations: typing, presence and read receipts',
  reply: SharingSettings,
})

export const updateSharingSettings = call({
  method: 'PUT',
  path: '/api/user/sharing-settings',
  access: 'user',
  changes: ['settings'],
  summary: 'Sets what the user shares in conversations. Users see of others only what they share themselves',
  body: SharingSettings,
  reply: SharingSettings,
})
