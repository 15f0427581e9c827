import {
  countUnreadNotifications,
  listNotifications,
  markNotificationsRead,
  type Notification,
} from '@sought/contract/notifications'
import { useSend } from '../../lib/calls.ts'
import { toast } from '../../lib/toasts.ts'
import { useSessionEnded } from '../../lib/use-session-ended.ts'

/** Marks one notification as read when it is followed, or all of them at a press. */
export function useMarkRead() {
  const send = useSend(markNotificationsRead, { refreshes: [listNotifications, countUnreadNotifications] })
  const sessionEnded = useSessionEnded()
  return {
    busy: send.isPending,
    // One that stays unread because the call failed is no loss: it was followed all the same.
    follow: ({ id, readAt }: Notification) => {
      if (readAt === null) send.mutate({ body: { id } })
    },
    markAll: () =>
      send.mutate(
        { body: {} },
        {
          onError: (error) => {
            if (sessionEnded(error)) return
            toast({
              title: 'Error',
              description: 'They could not be marked as read. Please try again.',
              variant: 'destructive',
            })
          },
        },
      ),
  }
}
