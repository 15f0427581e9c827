import type { InputOf } from '@sought/contract/call'
import { listConversations, type Message, markMessagesRead } from '@sought/contract/messages'
import { countUnreadNotifications } from '@sought/contract/notifications'
import { useEffect, useSyncExternalStore } from 'react'
import { useRead } from '../../data/calls.ts'
import { changeItems, type OptimisticChanges } from '../../data/optimistic-changes.ts'
import { useSend } from '../../data/use-send.ts'
import type { Parties } from '../../shared/offers/parties.ts'

/**
 * Changes only the counts, not the messages. Unread messages trigger the call below, so restoring them after a failure
 * would trigger it again and again.
 */
const optimistic: OptimisticChanges<InputOf<typeof markMessagesRead>> = ({
  body: { wantedItemId, senderId },
}) => [
  changeItems(listConversations, (it) => it.wantedItem.id === wantedItemId && it.user.id === senderId, {
    unreadCount: 0,
  }),
]

/**
 * Marks messages and offer notifications as read while the conversation is visible: when it opens and when more
 * arrive.
 */
export function useMarkRead({ me, other, item }: Parties, messages: readonly Message[] | undefined): void {
  const { mutate } = useSend(markMessagesRead, { optimistic })
  const isVisible = useSyncExternalStore(subscribeVisibility, () => document.visibilityState === 'visible')
  const latestUnread = messages?.find((message) => !message.isRead && message.receiverId === me)?.id
  // Reads the count that the bell has loaded, without a request of its own.
  const unreadCount = useRead(countUnreadNotifications, undefined, { enabled: false }).data?.unread ?? 0
  useEffect(() => {
    if (isVisible && (latestUnread || unreadCount > 0))
      mutate({ body: { wantedItemId: item.id, senderId: other.id } })
  }, [isVisible, latestUnread, unreadCount, mutate, item.id, other.id])
}

function subscribeVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}
