import {
  countUnreadNotifications,
  listNotifications,
  markNotificationsRead,
  type Notification,
} from '@sought/contract/notifications'
import { useSend } from '../../lib/calls.ts'
import { useAction } from '../../lib/use-action.ts'

const refreshes = [listNotifications, countUnreadNotifications]

/** Marks one notification as read when its link is followed, or all of them at once. */
export function useMarkRead() {
  const markOne = useSend(markNotificationsRead, { refreshes })
  const markAll = useAction(markNotificationsRead, {
    failure: 'The notifications could not be marked as read. Please try again.',
    refreshes,
  })
  return {
    isPending: markAll.isPending,
    // No toast if this fails: the user is already on the next screen, and the notification only stays unread.
    markOne: ({ id, readAt }: Notification) => {
      if (readAt === null) markOne.mutate({ body: { id } })
    },
    markAll: () => void markAll.run({ body: {} }),
  }
}
