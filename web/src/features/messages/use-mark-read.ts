import { listConversations, listMessages, type Message, markMessagesRead } from '@sought/contract/messages'
import { useEffect, useSyncExternalStore } from 'react'
import { useSend } from '../../lib/calls.ts'
import type { Parties } from './parties.ts'

const refreshes = [listMessages, listConversations]

/** What lies open before somebody's eyes is read: on opening the conversation, and as more arrives. */
export function useMarkRead({ me, other, item }: Parties, messages: readonly Message[] | undefined): void {
  const { mutate } = useSend(markMessagesRead, { refreshes })
  const visible = useSyncExternalStore(onVisibility, () => document.visibilityState === 'visible')
  const latestUnread = messages?.find((message) => !message.isRead && message.receiverId === me)?.id
  useEffect(() => {
    if (visible && latestUnread) mutate({ body: { wantedItemId: item.id, senderId: other.id } })
  }, [visible, latestUnread, mutate, item.id, other.id])
}

function onVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}
