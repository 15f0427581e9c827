import { defineNotification } from '../../notifications/define-notification.ts'
import { openConversation } from '../offers/conversation-link.ts'
import * as queries from './queries.ts'

const HOUR_MS = 3_600_000

interface Message {
  wantedItemId: number
  senderId: string
  receiverId: string
}

export const messageReceived = defineNotification('message', {
  // At most one per hour for a conversation, counted from its first unread message.
  to(message: Message, firstUnread: { id: number; createdAt: Date }, now: Date) {
    const hours = Math.floor((now.getTime() - firstUnread.createdAt.getTime()) / HOUR_MS)
    return {
      to: message.receiverId,
      about: [firstUnread.id, hours],
      by: message.senderId,
      wantedItemId: message.wantedItemId,
    }
  },
  title: ({ actorName }) => `New message from ${actorName}`,
  text: ({ actorName, itemTitle }) => `${actorName} sent you a message about “${itemTitle}”.`,
  link: openConversation,
  async isUnread(tx, { userId: receiverId, actorId: senderId, itemId: wantedItemId }) {
    if (senderId === null) return false
    return (await queries.findFirstUnread(tx, { wantedItemId, senderId, receiverId })) !== undefined
  },
})
