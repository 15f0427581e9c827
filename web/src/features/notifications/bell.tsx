import { listNotifications } from '@sought/contract/notifications'
import { paths } from '@sought/contract/paths'
import { Bell as BellIcon } from 'lucide-react'
import { type ReactElement, type ReactNode, useEffect, useState } from 'react'
import { Link } from 'wouter'
import { useRead } from '../../data/calls.ts'
import { CountBadge, formatCount } from '../../ui/display/count-badge.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { IconButton } from '../../ui/forms/icon-button.tsx'
import { Popover } from '../../ui/overlays/popover.tsx'
import { NotificationLine, NotificationSkeletons } from './notification-line.tsx'
import { useMarkRead } from './use-mark-read.ts'

const LATEST_COUNT = 8

interface BellProps {
  unreadCount: number
  withTooltip: (text: string, icon: ReactElement) => ReactNode
}

/** The bell in the header: the number of unread notifications, and the latest ones when it is clicked. */
export function Bell({ unreadCount, withTooltip }: BellProps) {
  const [open, setOpen] = useState(false)
  const label = unreadCount > 0 ? `Notifications, ${formatCount(unreadCount)} unread` : 'Notifications'
  const close = () => setOpen(false)
  useAppBadge(unreadCount)
  return (
    <Popover
      label="Notifications"
      open={open}
      onOpenChange={setOpen}
      aroundTrigger={(button) => withTooltip('Notifications', button)}
      trigger={
        <IconButton label={label}>
          <BellIcon aria-hidden="true" />
          <CountBadge count={unreadCount} className="absolute top-0.5 right-0" />
        </IconButton>
      }
    >
      <LatestNotifications hasUnread={unreadCount > 0} onLeave={close} />
    </Popover>
  )
}

/** Shows the number on the icon of the installed app, if the system supports it. */
function useAppBadge(count: number): void {
  useEffect(() => {
    navigator.setAppBadge?.(count).catch(() => {})
    return () => void navigator.clearAppBadge?.().catch(() => {})
  }, [count])
}

function LatestNotifications({ hasUnread, onLeave }: { hasUnread: boolean; onLeave: () => void }) {
  const { markAll, markOne, isPending } = useMarkRead()
  return (
    <>
      <header className="flex min-h-13 shrink-0 items-center justify-between gap-4 border-line border-b pr-2 pl-4">
        <h2 className="font-strong">Notifications</h2>
        {hasUnread && (
          <Button variant="quiet" size="sm" busy={isPending} onClick={markAll}>
            Mark all read
          </Button>
        )}
      </header>
      <div className="min-h-0 grow overflow-y-auto overscroll-contain">
        <NotificationList
          onOpen={(notification) => {
            markOne(notification)
            onLeave()
          }}
        />
      </div>
      <footer className="shrink-0 border-line border-t p-1.5 text-center">
        <Button asChild variant="quiet" size="sm" wide>
          <Link href={paths.notifications()} onClick={onLeave}>
            See all notifications
          </Link>
        </Button>
      </footer>
    </>
  )
}

function NotificationList({ onOpen }: { onOpen: ReturnType<typeof useMarkRead>['markOne'] }) {
  const latest = useRead(listNotifications, { query: { limit: String(LATEST_COUNT) } })
  if (latest.isPending) return <NotificationSkeletons />
  if (latest.isError && !latest.data) {
    return (
      <div role="alert" className="grid justify-items-center gap-3 px-4 py-8 text-center">
        <p className="text-ink-soft">Your notifications could not be loaded.</p>
        <Button variant="secondary" size="sm" busy={latest.isFetching} onClick={() => void latest.refetch()}>
          Try Again
        </Button>
      </div>
    )
  }
  if (latest.data.length === 0) {
    return (
      <p className="px-4 py-8 text-center text-ink-soft">
        No notifications yet. Offers, payments and messages will appear here.
      </p>
    )
  }
  return (
    <ul>
      {latest.data.map((notification) => (
        <li key={notification.id} className="border-line border-t first:border-t-0">
          <NotificationLine notification={notification} onOpen={() => onOpen(notification)} />
        </li>
      ))}
    </ul>
  )
}
