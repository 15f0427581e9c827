import type { InputOf } from '@sought/contract/call'
import {
  countUnreadNotifications,
  listNotifications,
  markNotificationsRead,
  type Notification,
} from '@sought/contract/notifications'
import { changeItems, changeReply, type OptimisticChanges } from '../../data/optimistic-changes.ts'
import { useAction } from '../../data/use-action.ts'
import { useSend } from '../../data/use-send.ts'
import { getTimestamp } from '../../format/dates.ts'

const optimistic: OptimisticChanges<InputOf<typeof markNotificationsRead>> = ({ body: { id } }) => [
  changeItems(listNotifications, (it) => it.readAt === null && (id === undefined || it.id === id), {
    readAt: getTimestamp(),
  }),
  changeReply(countUnreadNotifications, ({ unread }) => ({
    unread: id === undefined ? 0 : Math.max(unread - 1, 0),
  })),
]

/** Marks one notification as read when its link is followed, or all of them at once. */
export function useMarkRead() {
  const markOne = useSend(markNotificationsRead, { optimistic })
  const markAll = useAction(markNotificationsRead, {
    failure: 'The notifications could not be marked as read. Please try again.',
    optimistic,
  })
  return {
    isPending: markAll.isPending,
    // No toast on failure: the user is already on the next screen, and the notification only stays unread.
    markOne: ({ id, readAt }: Notification) => {
      if (readAt === null) markOne.mutate({ body: { id } })
    },
    markAll: () => void markAll.run({ body: {} }),
  }
}
