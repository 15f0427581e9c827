import type { Notification } from '@sought/contract/notifications'
import { Link } from 'wouter'
import { formatRelativeTime } from '../../format/relative-time.ts'
import { classNames } from '../../ui/base/class-names.ts'
import { Avatar } from '../../ui/display/avatar.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { iconOf } from './icon-of.ts'

interface NotificationLineProps {
  notification: Notification
  onOpen: () => void
}

/** A notification as a link to its screen. */
export function NotificationLine({ notification, onOpen }: NotificationLineProps) {
  const { title, text, path, createdAt, readAt } = notification
  return (
    <Link
      href={path}
      onClick={onOpen}
      className="grid grid-cols-[auto_minmax(0,1fr)_auto] gap-x-3 px-4 py-3 text-ink no-underline -outline-offset-2 hover:bg-sunken"
    >
      <ActorOrIcon notification={notification} />
      <span className="min-w-0">
        <span className={classNames('block [overflow-wrap:anywhere]', readAt === null && 'font-strong')}>
          {title}
        </span>
        <span className="line-clamp-2 text-fine text-ink-soft [overflow-wrap:anywhere]">{text}</span>
        <time dateTime={createdAt} className="text-fine text-ink-soft">
          {formatRelativeTime(new Date(createdAt), new Date())}
        </time>
      </span>
      <span className="mt-2 size-2">
        {readAt === null && (
          <>
            <span aria-hidden="true" className="block size-2 rounded-round bg-accent" />
            <span className="sr-only">Unread</span>
          </>
        )}
      </span>
    </Link>
  )
}

function ActorOrIcon({ notification: { actor, kind } }: { notification: Notification }) {
  if (actor) return <Avatar name={actor.name} imageUrl={actor.profileImageUrl} />
  const Icon = iconOf(kind)
  return (
    <span className="grid size-10 shrink-0 place-items-center rounded-round bg-sunken text-ink-soft">
      <Icon aria-hidden="true" className="size-5" />
    </span>
  )
}

const SKELETON_KEYS = ['one', 'two', 'three', 'four']

export function NotificationSkeletons() {
  return (
    <div role="status" aria-label="Loading notifications">
      {SKELETON_KEYS.map((key) => (
        <div key={key} className="flex gap-3 border-line border-t px-4 py-3 first:border-t-0">
          <Skeleton className="size-10 shrink-0 rounded-round" />
          <div className="grid grow gap-2">
            <Skeleton className="h-4 w-1/2" />
            <Skeleton className="h-4" />
            <Skeleton className="h-3 w-1/4" />
          </div>
        </div>
      ))}
    </div>
  )
}
